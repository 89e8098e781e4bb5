/**
 * The part of a terminal's screen that one stream of a run writes to: the rows that its cursor can reach.
 *
 * Only the latest rows can be written to again, and a row has a fixed number of columns. So the cost of one character is bounded, however
 * long the lines are and however far up the program moves the cursor.
 */

import { EscapeCodes } from "./escape-codes.js";
import { Line } from "./line.js";
import { PLAIN, restyle } from "./text-style.js";

/** The number of rows that the cursor can reach. */
export const SCREEN_ROWS = 64;
/** The most columns of a line. A longer line continues in the next one. */
export const MOST_COLUMNS = 4096;
/** The last column to which control codes can move the cursor over empty columns. No terminal is wider. */
const WIDTH = 512;
/** The most code units of one character and its combining marks. */
const MOST_MARKS = 16;
const TAB_COLUMNS = 8;
const MARK = /\p{M}|\u200d|\ufe0f|[\u{1f3fb}-\u{1f3ff}]/u;

export class Screen {
  /** @param {(changed: number) => Line} begin creates a line after all others @param {() => number} now */
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

  /**
   * Adds a combining mark, or the rest of a joined character, to the character before the cursor. Returns false if the character is
   * neither.
   * @param {Line} line
   * @param {string} character
   */
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

  /** Moves the cursor within the existing rows. @param {string} final @param {number} count */
  move(final, count) {
    if (final === "A" || final === "F") this.row = Math.max(0, this.row - count);
    else if (final === "B" || final === "E") this.row = Math.max(this.row, Math.min(this.rows.length - 1, this.row + count));
    else if (final === "C") this.column = Math.min(Math.max(this.column, WIDTH), this.column + count);
    else if (final === "D") this.column = Math.max(0, this.column - count);
    else if (final === "G") this.column = Math.min(WIDTH, count) - 1;
    if (final === "E" || final === "F") this.column = 0;
  }

  /** Erases the line from the cursor to its end (0), from its beginning to the cursor (1), or completely (2). @param {number} part */
  erase(part) {
    if (!this.rows[this.row] || part > 2) return;
    const { characters, styles } = this.line;
    if (!characters) return;
    const [from, to] = [part === 0 ? this.column : 0, part === 1 ? this.column + 1 : characters.length];
    characters.fill(" ", from, to); // not truncated, since growing the array again costs more
    styles.fill(PLAIN, from, to);
  }
}
