/**
 * How far the reader has come, kept in the browser: which cells of a lesson were run.
 */

/** @typedef {import("./drafts.js").Store} Store */

const KEY = "gradroom/progress";

/** @param {() => Store} open @returns {Record<string, string[]>} lesson path to the ids of the cells that were run */
export function readProgress(open) {
  try {
    const kept = JSON.parse(open().getItem(KEY) ?? "{}");
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {};
  }
}

/** @param {() => Store} open @param {string} lesson @param {string} cell */
export function noteRun(open, lesson, cell) {
  const progress = readProgress(open);
  const cells = new Set(progress[lesson] ?? []);
  progress[lesson] = [...cells.add(cell)];
  try {
    open().setItem(KEY, JSON.stringify(progress));
  } catch {
    // Without storage there is no progress to show; the lesson works all the same.
  }
}

/** @param {string[] | undefined} ran @param {number} cells @returns {{state: "new" | "tried" | "done", share: number}} */
export function judge(ran, cells) {
  const count = Math.min(ran?.length ?? 0, cells);
  if (count === 0) return { state: "new", share: 0 };
  return count >= cells ? { state: "done", share: 1 } : { state: "tried", share: count / cells };
}
