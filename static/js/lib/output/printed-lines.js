/**
 * The output of a run as lines of styled text. stdout and stderr have a small screen each, whereas a terminal has one for both.
 *
 * Each stream continues its own line, wherever that line is among the other stream's lines. So a progress bar on stderr and prints to
 * stdout do not damage each other, in whatever order the two pipes were read.
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
    /** The number of pieces read completely, and of characters read of the next piece. */
    this.whole = 0;
    this.characters = 0;
  }

  /** @param {"stdout" | "stderr"} stream @param {number} changed */
  begin(stream, changed) {
    const line = new Line(stream, changed - 1);
    this.entries.push(line);
    return line;
  }

  /** Whether there is text to read. The last piece of a run can still grow. */
  get behind() {
    const piece = this.pieces[this.whole];
    return piece !== undefined && (this.whole < this.pieces.length - 1 || this.characters < piece.text.length);
  }

  /** This object if the pieces continue the same run, otherwise a new one. @param {Piece[]} pieces */
  followedBy(pieces) {
    return this.continuedBy(pieces) ? this : new PrintedLines();
  }

  /** Continues to read the pieces of the run, up to about `most` characters. @param {Piece[]} pieces @param {number} [most] */
  read(pieces, most = Infinity) {
    this.pieces = pieces;
    this.reads += 1;
    for (let left = most; this.behind && left > 0; ) left -= this.readPiece(left);
  }

  /** Reads at most `most` characters of the current piece. Returns the number read. @param {number} most */
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

  /** Whether the pieces continue the run that was read so far. Two runs never share a piece. @param {Piece[]} pieces */
  continuedBy(pieces) {
    const [before, now] = [this.pieces[this.whole], pieces[this.whole]];
    if (!before || before === now) return !before || this.pieces === pieces || this.pieces[this.whole - 1] === pieces[this.whole - 1];
    if (!now || this.pieces[this.whole - 1] !== pieces[this.whole - 1]) return false;
    // comparing two slices is faster than startsWith
    return before.stream === now.stream && now.text.slice(0, this.characters) === before.text.slice(0, this.characters);
  }

  /** The text of all lines that are shown. */
  get text() {
    const lines = this.entries.filter((line) => !line.blank);
    return lines.map(({ text, wrapped }) => `${text}${wrapped ? "" : "\n"}`).join("");
  }
}
