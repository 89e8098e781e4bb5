/**
 * How far the reader has come, kept in the browser: which of a lesson's parts are done (cells run, predictions made, exercises passed),
 * and which lesson was read last.
 */

/** @typedef {import("./drafts.js").Store} Store */

const KEY = "gradroom/progress";
const LAST_KEY = "gradroom/last-lesson";

/** Where there is no storage, it lasts as long as the page. @type {Record<string, string[]>} */
let memory = {};

/** @param {() => Store} open @returns {Record<string, string[]>} lesson path to its parts that are done: the id of a cell, "prediction:ID", "exercise:ID" */
export function readProgress(open) {
  try {
    const kept = JSON.parse(open().getItem(KEY) ?? "{}");
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return memory;
  }
}

/** @param {() => Store} open @param {string} lesson @param {...string} parts */
export function noteDone(open, lesson, ...parts) {
  const progress = readProgress(open);
  const done = progress[lesson] ?? [];
  const more = parts.filter((part) => !done.includes(part));
  if (!more.length) return;
  const now = { ...progress, [lesson]: [...done, ...new Set(more)] };
  try {
    open().setItem(KEY, JSON.stringify(now));
  } catch {
    memory = now;
  }
}

/** @param {() => Store} open @param {string} lesson */
export function noteVisit(open, lesson) {
  try {
    open().setItem(LAST_KEY, lesson);
  } catch {
    // Without storage the map offers the first lesson that is not done.
  }
}

/** The path of the lesson that was read last, "" if there is none. @param {() => Store} open */
export function readLast(open) {
  try {
    return open().getItem(LAST_KEY) ?? "";
  } catch {
    return "";
  }
}

/** Where to go on: the lesson read last, or when all of it is done, the next that is not done. @template {{path: string, done: boolean}} T @param {T[]} lessons @param {string} last @returns {T | undefined} */
export function whereToGoOn(lessons, last) {
  const from = Math.max(0, lessons.findIndex((lesson) => lesson.path === last));
  return [...lessons.slice(from), ...lessons.slice(0, from)].find((lesson) => !lesson.done);
}

/** @param {string[] | undefined} done @param {number} parts how many the lesson has @returns {{state: "new" | "tried" | "done", share: number}} */
export function judge(done, parts) {
  const count = Math.min(done?.length ?? 0, parts);
  if (count === 0) return { state: "new", share: 0 };
  return count >= parts ? { state: "done", share: 1 } : { state: "tried", share: count / parts };
}
