/**
 * One line of printed output. While the program can still write to it, it stores characters and styles; afterwards only the text that is
 * shown.
 */

import { PLAIN } from "./text-style.js";

/** @typedef {{text: string, style: number}} Span */

/** The most spans of one line. The text after them has no style. */
export const MOST_SPANS = 200;
/** Shared by all lines that are empty or frozen. */
const NO_STYLES = /** @type {number[]} */ ([]);
const NO_SPANS = /** @type {Span[]} */ ([]);

export class Line {
  /** @param {"stdout" | "stderr"} stream @param {number} changed */
  constructor(stream, changed) {
    this.stream = stream;
    /** The number of the read in which the line was last written to. */
    this.changed = changed;
    /** Whether a line end follows: the program's own, or the one added because the line is too long. */
    this.ended = false;
    this.wrapped = false;
    /** @type {string[] | null} characters with their marks; null once the line is frozen */
    this.characters = [];
    /** @type {number[]} */
    this.styles = [];
    /** @type {Span[]} the result of the last `pack` */
    this.spans = NO_SPANS;
    this.packed = changed;
  }

  /** Merges neighbouring characters of one style into spans, and returns the spans. */
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

  /** Makes the line read-only and drops its characters. */
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

  /** Whether the line is hidden, because it is unfinished and empty, for example after a progress bar was erased. */
  get blank() {
    return !this.ended && this.pack().length === 0;
  }
}
