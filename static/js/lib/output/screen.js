/**
 * Where one stream of a run writes: the rows that its cursor can reach, as on a terminal's screen.
 *
 * Only the latest rows can be written to again, and a row has so many columns and no more: the cost of a character has a bound, however
 * long the lines are and however far up a program wants to go.
 */

import { EscapeCodes } from "./escape-codes.js";
import { Line } from "./line.js";
import { PLAIN, restyle } from "./text-style.js";

/** Rows that a cursor can reach. */
export const SCREEN_ROWS = 64;
/** A line that is longer goes on in the next one. */
export const MOST_COLUMNS = 4096;
/** No terminal is wider, so no cursor is sent further over columns that are empty. */
const WIDTH = 512;
/** Of one character, with the marks that are put on it. */
const MOST_MARKS = 16;
const TAB_COLUMNS = 8;
const MARK = /\p{M}|\u200d|\ufe0f|[\u{1f3fb}-\u{1f3ff}]/u;

/** Where one stream writes. */
export class Screen {
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
