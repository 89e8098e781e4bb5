/**
 * Sends submissions again that were graded but could not be stored, each under its own key, until each has its receipt. The verdict that
 * the learner saw stays.
 */

import { wellFormed } from "../../lib/python/positions.js";
import { pageLanguage } from "../../lib/words.js";

/**
 * @typedef {import("./kept-work.js").KeptWork} KeptWork
 * @typedef {import("../tasks/exercise-state.js").Attempt} Attempt
 * @typedef {import("../tasks/exercise-state.js").Sent} Sent
 */

/** Answers that do not change by sending again: the exercise is gone, or the key was used for another source. */
const GONE = [404, 413, 422];

/**
 * Sends an exercise's submissions that have no receipt, and returns whether the server has stored all of them.
 * @param {KeptWork} work
 * @param {string} id
 * @param {typeof globalThis.fetch} [fetch]
 */
export async function resend(work, id, fetch = globalThis.fetch.bind(globalThis)) {
  for (const sent of unkept(work, id)) {
    const answer = await submit(work.lesson, id, sent, fetch);
    if (answer.kept === "later") return false;
    forget(work, id, sent);
    if (answer.kept === "now") note(work, id, sent, answer.receipt);
  }
  return true;
}

/** @param {KeptWork} work @param {string} id @returns {Sent[]} */
function unkept(work, id) {
  return work.read("exercise", id)["unkept"] ?? [];
}

/** @param {KeptWork} work @param {string} id @param {Sent} sent */
function forget(work, id, sent) {
  work.keep("exercise", id, { unkept: unkept(work, id).filter((one) => one.key !== sent.key) });
}

/**
 * @param {string} lesson
 * @param {string} id
 * @param {Sent} sent
 * @param {typeof globalThis.fetch} fetch
 * @returns {Promise<{kept: "later" | "never"} | {kept: "now", receipt: {id: string}}>}
 */
async function submit(lesson, id, { source, key }, fetch) {
  try {
    const lang = pageLanguage();
    const headers = { "content-type": "application/json", accept: "application/json", "accept-language": lang, "idempotency-key": key };
    const response = await fetch(`/api/lessons/${lesson}/exercises/${id}/submissions`, {
      method: "POST",
      headers,
      body: JSON.stringify({ source: wellFormed(source), lang }),
    });
    if (!response.ok) return { kept: GONE.includes(response.status) ? "never" : "later" };
    const { receipt } = await response.json();
    return receipt ? { kept: "now", receipt } : { kept: "later" };
  } catch {
    return { kept: "later" };
  }
}

/** @param {KeptWork} work @param {string} id @param {Sent} sent @param {{id: string}} receipt */
function note(work, id, { source, key }, receipt) {
  const kept = work.read("exercise", id);
  const attempts = /** @type {Attempt[]} */ (kept["attempts"] ?? []);
  const { judged } = kept;
  const told = judged && judged.source === source && !judged.submission.receipt;
  work.keep("exercise", id, {
    attempts: attempts.filter((one) => one.receipt !== receipt.id).map((one) => (one.key === key ? { ...one, receipt: receipt.id } : one)),
    ...(told ? { judged: { ...judged, submission: { ...judged.submission, receipt, not_kept: null } } } : {}),
  });
}
