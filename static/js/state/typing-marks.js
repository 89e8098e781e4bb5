/** Marks mistakes in a program while it is being written. The server finds them in the source, in the sandbox, without running it. */

import { effect } from "@preact/signals-core";

import { wellFormed } from "../lib/python/positions.js";
import { diagnosesOf, findingOf, sentenceOf } from "../lib/doctor/findings.js";

/** For how long nobody must type before the program is read. */
export const PAUSE_MS = 1000;

/** Matches programs to which the rules apply. */
const OF_INTEREST = /\bFunction\b|\bautograd\b|\bbackward\b/;

/**
 * Marks the text of a cell whenever nobody has typed for a while. Returns a function that ends this.
 * @param {import("./cell-state.js").CellState} cell
 * @param {string} lang
 * @param {typeof globalThis.fetch} [fetch]
 */
export function markWhileTyping(cell, lang, fetch = globalThis.fetch.bind(globalThis)) {
  /** @type {AbortController | null} */
  let asking = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let before = cell.text.peek();
  const dispose = effect(() => {
    const text = cell.text.value;
    if (text === before) return;
    before = text;
    forget();
    if (cell.facts.runtime === "torch" && OF_INTEREST.test(text)) timer = setTimeout(() => void mark(text), PAUSE_MS);
  });

  // a run is diagnosed by its second run, which the server refuses while it reads a program for the same learner
  const disposeRuns = effect(() => void (cell.sources.value && asking?.abort()));

  function forget() {
    clearTimeout(timer);
    asking?.abort();
    asking = null;
  }

  /** @param {string} text */
  async function mark(text) {
    if (cell.busy.peek() || text === cell.sources.peek()?.[cell.id]) return; // a program that runs, or has run, is diagnosed by its run
    asking = new AbortController();
    try {
      const answer = await fetch("/api/marks", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ source: wellFormed(text), lang }),
        signal: asking.signal,
      });
      if (!answer.ok) return; // the server is busy with others: nothing is marked
      const { records } = /** @type {import("../lib/types.js").RunResult} */ (await answer.json());
      const found = diagnosesOf(records).map(findingOf);
      const underlines = found.flatMap((one) => (one.span ? [{ span: one.span, message: sentenceOf(one), severity: one.severity }] : []));
      if (cell.text.peek() === text) cell.marks.value = { text, underlines };
    } catch {
      // the text has changed meanwhile, or the server cannot be reached
    }
  }

  return () => {
    forget();
    dispose();
    disposeRuns();
  };
}
