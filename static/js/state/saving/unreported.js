/** The list, in the browser's storage, of the lessons whose progress the server may not have completely. */

import { readProgress } from "../tasks/progress.js";

/** @typedef {import("./drafts.js").Store} Store */

const KEY = "gradroom/untold";

/**
 * The lessons with unreported progress. If the list does not exist yet, all lessons with progress.
 * @param {() => Store} open
 * @returns {string[]}
 */
export function unreportedLessons(open) {
  try {
    const kept = JSON.parse(open().getItem(KEY) ?? "null");
    return Array.isArray(kept) ? kept.map(String) : Object.keys(readProgress(open));
  } catch {
    return [];
  }
}

/** @param {() => Store} open @param {string} lesson @param {boolean} unreported */
export function mark(open, lesson, unreported) {
  const others = unreportedLessons(open).filter((one) => one !== lesson);
  write(open, unreported ? [...others, lesson] : others);
}

/**
 * Creates the list if it does not exist yet. Call it before the server's progress is merged into the browser's, since from then on the two
 * cannot be distinguished.
 * @param {() => Store} open
 */
export function noteUnreported(open) {
  write(open, unreportedLessons(open));
}

/** @param {() => Store} open @param {string[]} lessons */
function write(open, lessons) {
  try {
    const kept = JSON.stringify(lessons);
    if (open().getItem(KEY) !== kept) open().setItem(KEY, kept);
  } catch {
    // Without storage there are no other lessons to report.
  }
}
