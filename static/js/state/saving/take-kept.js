/**
 * Merges the learner's work that the server sent with the page into the browser's storage, before the page's state is made from it. No work
 * of either side is lost: sets are united, the more advanced standing counts, and the first prediction stays.
 */

import { MOST_ATTEMPTS } from "../tasks/exercise-state.js";
import { further, noteDone } from "../tasks/progress.js";

/**
 * @typedef {import("./kept-work.js").KeptWork} KeptWork
 * @typedef {import("../tasks/exercise-state.js").Attempt} Attempt
 * @typedef {import("../tasks/exercise-state.js").Standing} Standing
 * @typedef {import("../tasks/prediction-state.js").Told} Told
 *
 * @typedef {{first: {said: import("../../lib/numbers/answers.js").Answer | null, right: boolean}, told: Told, due: boolean}} KeptPrediction
 * @typedef {{receipt: string, at: string | number, passed: boolean, good: number, total: number, imported: boolean}} KeptAttempt  oldest
 *   first
 * @typedef {{standing: Standing, seen: boolean, hints: number, count: number, attempts: KeptAttempt[]}} KeptExercise
 *
 * @typedef {object} Kept  `kept` of a lesson's page-data; null there if the server's store cannot be read
 * @property {Record<string, import("../../lib/me/me-client.js").ServerDraft>} drafts
 * @property {string[]} cells
 * @property {Record<string, KeptPrediction>} predictions
 * @property {Record<string, KeptExercise>} exercises
 */

/**
 * Adds the parts of a lesson that are done according to the server to the browser's progress.
 * @param {() => import("./drafts.js").Store} open
 * @param {string} lesson
 * @param {Kept} kept
 */
export function takeProgress(open, lesson, { cells, predictions, exercises }) {
  const passed = Object.entries(exercises).flatMap(([id, { standing }]) =>
    standing === "passed" || standing === "shown" ? [`exercise:${id}`] : [],
  );
  noteDone(open, lesson, ...cells, ...Object.keys(predictions).map((id) => `prediction:${id}`), ...passed);
}

/**
 * @param {KeptWork} work
 * @param {string} id
 * @param {string} about the hash of the program that the question is about now
 * @param {KeptPrediction} kept
 */
export function takePrediction(work, id, about, { first, told, due }) {
  const mine = work.read("prediction", id);
  if (mine["about"] === about && mine["first"]) return work.keep("prediction", id, { due });
  work.keep("prediction", id, { about, first: { ...told, ...first }, told, due });
}

/** @param {KeptWork} work @param {string} id @param {KeptExercise} kept */
export function takeExercise(work, id, { standing, seen, hints, count, attempts }) {
  const mine = work.read("exercise", id);
  const joined = joinAttempts(mine["attempts"] ?? [], attempts);
  work.keep("exercise", id, {
    standing: further(standing, mine["standing"]),
    seen: seen || mine["seen"] === true,
    hints: Math.max(hints, Number(mine["hints"] ?? 0)),
    count: Math.max(joined.length, count + joined.filter((one) => !one.receipt).length),
    attempts: joined.slice(-MOST_ATTEMPTS),
  });
}

/** @param {Attempt[]} mine @param {KeptAttempt[]} theirs @returns {Attempt[]} oldest first */
function joinAttempts(mine, theirs) {
  const known = new Set(theirs.map(({ receipt }) => receipt));
  const taken = theirs.map(({ receipt, at, passed, good, total }) => ({ receipt, at: new Date(at).getTime(), passed, good, total }));
  return [...mine.filter(({ receipt }) => !receipt || !known.has(receipt)), ...taken].sort((a, b) => a.at - b.at);
}
