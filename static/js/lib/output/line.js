/** One line of what a run printed: characters with their styles while it can be written to, then what is seen of it alone. */

import { PLAIN } from "./text-style.js";

/** @typedef {{text: string, style: number}} Span */

/** Of one line; what comes after them is plain. */
export const MOST_SPANS = 200;
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
      const rest = this.spans.length === MOST_SPANS - 1;
      if (at < end && (rest || this.styles[at] === this.styles[from])) continue;
      this.spans.push({ text: this.characters.slice(from, at).join(""), style: rest ? PLAIN : (this.styles[from] ?? PLAIN) });
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
    return this.pack()
      .map((span) => span.text)
      .join("");
  }

  /** Whether nothing was ever seen of it, so that it is not shown: a bar that was taken away again. */
  get blank() {
    return !this.ended && this.pack().length === 0;
  }
}
