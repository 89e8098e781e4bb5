/**
 * The reader's progress, stored in the browser: which parts of each lesson are done (cells run, predictions made, exercises passed), and
 * which lesson was read last.
 */

import { soundLists } from "../../lib/run/sound.js";

/** @typedef {import("../saving/drafts.js").Store} Store */

const KEY = "gradroom/progress";
const LAST_KEY = "gradroom/last-lesson";
const HELPED_KEY = "gradroom/helped";

/** The progress if there is no storage. It lasts as long as the page. @type {Record<string, string[]>} */
let memory = {};

/**
 * @param {() => Store} open
 * @returns {Record<string, string[]>} the parts that are done by lesson path: the id of a cell, "prediction:ID", "exercise:ID"
 */
export function readProgress(open) {
  try {
    return soundLists(JSON.parse(open().getItem(KEY) ?? "{}"));
  } catch {
    return memory;
  }
}

/** @param {() => Store} open @param {string} lesson @param {...string} parts */
export function noteDone(open, lesson, ...parts) {
  takeIn(open, { [lesson]: parts });
}

/**
 * Adds parts that are done, from this page or the server. Returns all progress.
 * @param {() => Store} open
 * @param {Record<string, string[]>} done as of `readProgress`
 */
export function takeIn(open, done) {
  const progress = readProgress(open);
  const more = Object.entries(done).filter(([lesson, parts]) => parts.some((part) => !progress[lesson]?.includes(part)));
  if (!more.length) return progress;
  const now = { ...progress };
  for (const [lesson, parts] of more) now[lesson] = [...new Set([...(progress[lesson] ?? []), ...parts])];
  try {
    open().setItem(KEY, JSON.stringify(now));
  } catch {
    memory = now;
  }
  return now;
}

/**
 * The standings of exercises that this browser has stored, by lesson.
 * @param {() => Storage} open
 * @returns {Record<string, Record<string, string>>} standings by lesson path and exercise
 */
export function readStandings(open) {
  /** @type {Record<string, Record<string, string>>} */
  const standings = {};
  try {
    for (const key of Object.keys(open())) {
      const [, lesson, exercise] = key.match(/^gradroom\/exercise\/([^/]+\/[^/]+)\/([^/]+)$/) ?? [];
      const standing = lesson && exercise && JSON.parse(open().getItem(key) ?? "{}")?.standing;
      if (standing) (standings[lesson] ??= {})[exercise] = standing;
    }
  } catch {
    // Without storage there are no standings.
  }
  return standings;
}

const RANKS = ["new", "tried", "shown", "passed"];

/**
 * The more advanced of two standings, those of the server and of the browser.
 * @template {string} T
 * @param {T} one
 * @param {T | undefined} other
 */
export function further(one, other) {
  return RANKS.indexOf(other ?? "") > RANKS.indexOf(one) ? /** @type {T} */ (other) : one;
}

/**
 * The number of exercises of each lesson that were passed after seeing the solution.
 * @param {Record<string, Record<string, string>>} standings
 */
export function countHelped(standings) {
  return Object.fromEntries(
    Object.entries(standings).map(([lesson, all]) => [lesson, Object.values(all).filter((one) => one === "shown").length]),
  );
}

/**
 * Stores and returns the server's numbers of exercises that were passed after seeing the solution. Numbers in `helped` replace earlier ones
 * of the same lesson.
 * @param {() => Store} open
 * @param {Record<string, number>} helped
 * @returns {Record<string, number>}
 */
export function takeHelped(open, helped) {
  try {
    const kept = { ...JSON.parse(open().getItem(HELPED_KEY) ?? "{}"), ...helped };
    if (Object.keys(helped).length) open().setItem(HELPED_KEY, JSON.stringify(kept));
    return kept;
  } catch {
    return helped;
  }
}

/** @param {() => Store} open @param {string} lesson */
export function noteVisit(open, lesson) {
  try {
    open().setItem(LAST_KEY, lesson);
  } catch {
    // Without storage the pages offer the first lesson that is not done.
  }
}

/** The path of the lesson that was read last; "" if there is none. @param {() => Store} open */
export function readLast(open) {
  try {
    return open().getItem(LAST_KEY) ?? "";
  } catch {
    return "";
  }
}

/** Forgets which lesson was read last in this browser. @param {() => Storage} open */
export function forgetVisit(open) {
  try {
    open().removeItem(LAST_KEY);
  } catch {
    // Without storage nothing was recorded.
  }
}

/**
 * The lesson to continue with: the one read last, or if it is done, the next that is not done.
 * @template {{path: string, done: boolean}} T
 * @param {T[]} lessons
 * @param {string} last
 * @returns {T | undefined}
 */
export function whereToGoOn(lessons, last) {
  const from = Math.max(
    0,
    lessons.findIndex((lesson) => lesson.path === last),
  );
  return [...lessons.slice(from), ...lessons.slice(0, from)].find((lesson) => !lesson.done);
}

/**
 * @param {string[] | undefined} done
 * @param {number} parts the number of the lesson's parts
 * @returns {{state: "new" | "tried" | "done", share: number}}
 */
export function judge(done, parts) {
  const count = Math.min(done?.length ?? 0, parts);
  if (count === 0) return { state: "new", share: 0 };
  return count >= parts ? { state: "done", share: 1 } : { state: "tried", share: count / parts };
}
