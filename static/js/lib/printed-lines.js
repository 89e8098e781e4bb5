/**
 * What a run printed, as lines of styled text: a small screen for each of stdout and stderr, as a terminal has one for both.
 *
 * Each stream writes on in its own line, wherever that stands among the other's, so that a progress bar on stderr and prints to stdout leave
 * each other whole, in whatever order the two pipes were read. Only the latest lines of a stream can be written to again: the cost of a
 * character has a bound, however long the lines are and however far up a program wants to go.
 */

import { EscapeCodes } from "./escape-codes.js";
import { PLAIN, restyle } from "./text-style.js";

/**
 * @typedef {import("../state/run-state.js").Piece} Piece
 * @typedef {{text: string, style: number}} Span
 * @typedef {{display: number, changed: number}} Place  of a display, by index
 * @typedef {Line | Place} Entry
 */

/** Rows that a cursor can reach. */
export const SCREEN_ROWS = 64;
/** A line that is longer goes on in the next one. */
export const MOST_COLUMNS = 4096;
/** No terminal is wider, so no cursor is sent further over columns that are empty. */
const WIDTH = 512;
/** Of one character, with the marks that are put on it. */
const MOST_MARKS = 16;
const TAB_COLUMNS = 8;
const MARK = /[\p{M}\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]/u;

/** Shared by all lines that are empty or can no longer be written to. */
const NO_STYLES = /** @type {number[]} */ ([]);
const NO_SPANS = /** @type {Span[]} */ ([]);

export class Line {
  /** @param {"stdout" | "stderr"} stream @param {number} changed */
  constructor(stream, changed) {
    this.stream = stream;
    /** When it was last written to, in reads. */
    this.changed = changed;
    /** Whether a line end, the program's own or the one of a line too long, came after it. */
    this.ended = false;
    this.wrapped = false;
    /** @type {string[] | null} one character each, with its marks; null once no cursor can come back */
    this.characters = [];
    /** @type {number[]} */
    this.styles = [];
    /** @type {Span[]} as they were when last asked for */
    this.spans = NO_SPANS;
    this.packed = changed;
  }

  /** Neighbours of one style together. */
  pack() {
    if (!this.characters || this.packed === this.changed) return this.spans;
    let end = this.characters.length;
    while (end > 0 && this.characters[end - 1] === " " && this.styles[end - 1] === PLAIN) end -= 1;
    this.spans = end ? [] : NO_SPANS;
    for (let from = 0, at = 1; from < end; at += 1) {
      if (at < end && this.styles[at] === this.styles[from]) continue;
      this.spans.push({ text: this.characters.slice(from, at).join(""), style: this.styles[from] ?? PLAIN });
      from = at;
    }
    this.packed = this.changed;
    return this.spans;
  }

  /** No more is written to it. */
  freeze() {
    this.pack();
    this.characters = null;
    this.styles = NO_STYLES;
  }

  get text() {
    return this.pack().map((span) => span.text).join("");
  }

  /** Whether nothing was ever seen of it, so that it is not shown: a bar that was taken away again. */
  get blank() {
    return !this.ended && this.pack().length === 0;
  }
}

/** Where one stream writes. */
class Screen {
  /** @param {(changed: number) => Line} begin makes a line, after all that are there @param {() => number} now */
  constructor(begin, now) {
    this.begin = begin;
    this.now = now;
    /** @type {Line[]} */
    this.rows = [];
    this.row = 0;
    this.column = 0;
    this.style = PLAIN;
    this.codes = new EscapeCodes(this);
  }

  get line() {
    let line = this.rows[this.row];
    if (!line) this.rows.push((line = this.begin(this.now())));
    line.changed = this.now();
    return line;
  }

  /** @param {string} text without controls */
  text(text) {
    let line = this.line;
    const marked = MARK.test(text);
    for (const character of text) {
      if (marked && this.mark(line, character)) continue;
      if (this.column >= MOST_COLUMNS) {
        line.wrapped = true;
        this.endLine();
        line = this.line;
      }
      this.put(line, character);
    }
  }

  /** Puts a mark on the character before, or the rest of a joined one; whether it was one. @param {Line} line @param {string} character */
  mark(line, character) {
    const before = line.characters?.[this.column - 1];
    if (before === undefined || !line.characters || !(MARK.test(character) || before.endsWith("\u200d"))) return false;
    if (before.length < MOST_MARKS) line.characters[this.column - 1] = before + character;
    return true;
  }

  /** @param {Line} line @param {string} character */
  put({ characters, styles }, character) {
    if (!characters) return;
    while (characters.length < this.column) characters.push(" "), styles.push(PLAIN);
    characters[this.column] = character;
    styles[this.column] = this.style;
    this.column += 1;
  }

  /** @param {import("./escape-codes.js").Control} control */
  control(control) {
    if (control === "\n") this.endLine();
    else if (control === "\r") this.column = 0;
    else if (control === "\b") this.column = Math.max(0, this.column - 1);
    else this.column = Math.min(Math.max(this.column, WIDTH), (Math.floor(this.column / TAB_COLUMNS) + 1) * TAB_COLUMNS);
  }

  endLine() {
    this.line.ended = true;
    this.column = 0;
    this.row += 1;
    if (this.row < SCREEN_ROWS) return;
    this.rows.shift()?.freeze();
    this.row -= 1;
  }

  /** @param {string} final @param {string} parameters */
  sequence(final, parameters) {
    if (final === "m") this.style = restyle(this.style, parameters);
    else if (!/^\d*$/.test(parameters)) return;
    else if (final === "K") this.erase(Number(parameters));
    else this.move(final, Math.max(1, Number(parameters)));
  }

  /** Moves the cursor, never beyond the rows that are there. @param {string} final @param {number} count */
  move(final, count) {
    if (final === "A" || final === "F") this.row = Math.max(0, this.row - count);
    else if (final === "B" || final === "E") this.row = Math.max(this.row, Math.min(this.rows.length - 1, this.row + count));
    else if (final === "C") this.column = Math.min(Math.max(this.column, WIDTH), this.column + count);
    else if (final === "D") this.column = Math.max(0, this.column - count);
    else if (final === "G") this.column = Math.min(WIDTH, count) - 1;
    if (final === "E" || final === "F") this.column = 0;
  }

  /** From the cursor to the end of its line (0), from the beginning to the cursor (1), or all of it (2). @param {number} part */
  erase(part) {
    if (!this.rows[this.row] || part > 2) return;
    const { characters, styles } = this.line;
    if (!characters) return;
    const [from, to] = [part === 0 ? this.column : 0, part === 1 ? this.column + 1 : characters.length];
    characters.fill(" ", from, to); // not cut off: to grow again costs more
    styles.fill(PLAIN, from, to);
  }
}

export class PrintedLines {
  constructor() {
    /** @type {Entry[]} in the order in which they began */
    this.entries = [];
    this.reads = 0;
    const screen = (/** @type {"stdout" | "stderr"} */ stream) => new Screen((changed) => this.begin(stream, changed), () => this.reads);
    this.screens = { stdout: screen("stdout"), stderr: screen("stderr") };
    /** @type {Piece[]} */
    this.pieces = [];
    /** How many pieces were read, and how many characters of the one after them. */
    this.whole = 0;
    this.characters = 0;
  }

  /** @param {"stdout" | "stderr"} stream @param {number} changed */
  begin(stream, changed) {
    const line = new Line(stream, changed - 1);
    this.entries.push(line);
    return line;
  }

  /** Whether there is more to read: the last piece of a run may still grow. */
  get behind() {
    const piece = this.pieces[this.whole];
    return piece !== undefined && (this.whole < this.pieces.length - 1 || this.characters < lengthOf(piece));
  }

  /** These, if the pieces are the same run's, perhaps with more after them; otherwise new ones. @param {Piece[]} pieces */
  followedBy(pieces) {
    return this.continuedBy(pieces) ? this : new PrintedLines();
  }

  /** Reads on in the pieces of its run, but not many more than so many characters. @param {Piece[]} pieces @param {number} [most] */
  read(pieces, most = Infinity) {
    this.pieces = pieces;
    this.reads += 1;
    for (let left = most; this.behind && left > 0; ) left -= this.readPiece(left);
  }

  /** How many characters were read, a display being one. @param {number} most */
  readPiece(most) {
    const piece = this.pieces[this.whole];
    if (!piece || this.characters >= lengthOf(piece)) {
      this.whole += 1;
      this.characters = 0;
      return 0;
    }
    if ("display" in piece) {
      this.entries.push({ display: piece.display, changed: this.reads });
      this.characters = 1;
      return 1;
    }
    const text = piece.text.slice(this.characters, this.characters + most);
    this.screens[piece.stream].codes.read(text);
    this.characters += text.length;
    return text.length;
  }

  /** A piece that was made for one run is in no other's. @param {Piece[]} pieces */
  continuedBy(pieces) {
    const [before, now] = [this.pieces[this.whole], pieces[this.whole]];
    if (!before || before === now) return !before || this.pieces === pieces || this.pieces[this.whole - 1] === pieces[this.whole - 1];
    if (!now || this.pieces[this.whole - 1] !== pieces[this.whole - 1]) return false;
    if ("display" in before || "display" in now) return "display" in before && "display" in now && before.display === now.display;
    return before.stream === now.stream && now.text.slice(0, this.characters) === before.text.slice(0, this.characters); // sooner than startsWith
  }

  /** All that is seen, displays left out. */
  get text() {
    const lines = this.entries.filter((entry) => entry instanceof Line && !entry.blank);
    return lines.map((line) => `${/** @type {Line} */ (line).text}${/** @type {Line} */ (line).wrapped ? "" : "\n"}`).join("");
  }
}

/** @param {Piece} piece */
function lengthOf(piece) {
  return "stream" in piece ? piece.text.length : 1;
}
