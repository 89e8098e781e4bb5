/**
 * What a run printed, as lines of styled text: a small screen for each of stdout and stderr, as a terminal has one for both.
 *
 * Each stream writes on in its own line, wherever that stands among the other's, so that a progress bar on stderr and prints to stdout
 * leave each other whole, in whatever order the two pipes were read.
 */

import { Line } from "./line.js";
import { Screen } from "./screen.js";

/**
 * @typedef {import("../../state/run-state.js").Piece} Piece
 */

export class PrintedLines {
  constructor() {
    /** @type {Line[]} in the order in which they began */
    this.entries = [];
    this.reads = 0;
    const screen = (/** @type {"stdout" | "stderr"} */ stream) =>
      new Screen(
        (changed) => this.begin(stream, changed),
        () => this.reads,
      );
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
    return piece !== undefined && (this.whole < this.pieces.length - 1 || this.characters < piece.text.length);
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

  /** How many characters were read. @param {number} most */
  readPiece(most) {
    const piece = this.pieces[this.whole];
    if (!piece || this.characters >= piece.text.length) {
      this.whole += 1;
      this.characters = 0;
      return 0;
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
    // comparing two slices is faster than startsWith
    return before.stream === now.stream && now.text.slice(0, this.characters) === before.text.slice(0, this.characters);
  }

  /** All that is seen. */
  get text() {
    const lines = this.entries.filter((line) => !line.blank);
    return lines.map(({ text, wrapped }) => `${text}${wrapped ? "" : "\n"}`).join("");
  }
}
