/**
 * Requests to the API of what the server stores of this learner: one function for each route (docs/decisions/0030). None of them throws: a
 * failed request is returned as a `Failure`.
 */

import { pageLanguage } from "../words.js";

/**
 * @typedef {{version: number, source: string | null}} ServerDraft  `source` null: the lesson's text
 * @typedef {"run" | "replaced" | "restored" | "imported"} WhyKept
 * @typedef {{number: number, why: WhyKept, source: string, at: string}} DraftVersion  `at`: ISO 8601
 * @typedef {{draft: ServerDraft | null, versions: DraftVersion[]}} DraftHistory  newest first
 *
 * @typedef {object} Holdings  how much the server stores of the learner; `made_ms` is null if nothing
 * @property {number | null} made_ms
 * @property {number | null} seen_ms
 * @property {number} cells
 * @property {number} predictions
 * @property {number} exercises
 * @property {number} attempts
 * @property {number} drafts
 * @property {number} versions
 * @property {number} bytes
 * @property {boolean} reviews
 * @property {number} retention_days
 * @property {number} limit_bytes
 * @property {{id: number, name: string, member: string, unread: number}[]} classes
 *
 * @typedef {object} SentAttempt  a submission, with its receipt
 * @property {string} receipt its id
 * @property {string} at ISO 8601
 * @property {string} source
 * @property {boolean} passed
 * @property {number} good
 * @property {number} total
 * @property {import("../types.js").Mistake | null} mistake
 * @property {unknown[]} checks
 * @property {boolean} imported
 * @property {string | null} version the hash of the exercise that graded it, null if it is unknown
 * @property {boolean} current whether this is still the exercise's version
 *
 * @typedef {object} ReportedWork  the work in a lesson that the browser reports
 * @property {string} lesson its path
 * @property {string[]} cells the cells that ran as declared
 * @property {Record<string, {answer: import("../numbers/answers.js").Answer | null, lang: string}>} predictions
 * @property {Record<string, number>} hints the number of hints read, by exercise
 *
 * @typedef {object} Failure
 * @property {false} ok
 * @property {number} status 0 if there was no response
 * @property {string} code "unreachable", or the API's code: no_learner, not_kept, too_much_kept, too_often, …; "" if the response is not
 *   from the API
 * @property {string} message the server's message in the page's language
 * @property {string} reason for `not_kept`: full, read_only, locked, crowded, broken, outdated, too_new, unreachable, …
 * @property {number} retryAfter in seconds; 0 if the server named no time
 * @property {ServerDraft | null} draft for a conflict: the server's draft
 */

/** @template T @typedef {{ok: true, value: T} | Failure} Answer */

/** The largest body, in bytes, that is sent with `keepalive` from a page that is being left. */
const KEEPALIVE_BYTES = 60_000;
/** The HTTP statuses of requests that fail again if they are repeated. */
export const HOPELESS = [403, 404, 413, 422];
const JSON_TYPE = { "content-type": "application/json" };

/** @returns {Promise<Answer<Holdings>>} */
export async function readHoldings() {
  return ask("/api/me");
}

/** Deletes everything that the server stores of the learner. The response sets a new cookie. @returns {Promise<Answer<null>>} */
export async function deleteEverything() {
  return ask("/api/me", { method: "DELETE" });
}

/** Gets a new cookie. The stored work remains with the old one. @returns {Promise<Answer<null>>} */
export async function leave() {
  return ask("/api/me/leave", { method: "POST" });
}

/** Downloads the learner's work as a zip file. @returns {Promise<Answer<Blob>>} */
export async function fetchExport() {
  return ask("/api/me/export", {}, (response) => response.blob());
}

/** @param {Blob} zip @returns {Promise<Answer<Record<string, any>>>} what was imported, already there, or stored beside other texts */
export async function importWork(zip) {
  return ask("/api/me/import", { method: "POST", headers: { "content-type": "application/zip" }, body: zip });
}

/**
 * The submissions of an exercise, newest first.
 * @param {string} exercise "chapter/lesson/exercise"
 * @returns {Promise<Answer<{attempts: SentAttempt[]}>>}
 */
export async function readAttempts(exercise) {
  return ask(`/api/me/attempts?${new URLSearchParams({ exercise })}`);
}

/** @param {string} lesson its path @param {string} cell a cell's id, "exercise_ID" or "_rule" @returns {Promise<Answer<DraftHistory>>} */
export async function readDraft(lesson, cell) {
  return ask(draftUrl(lesson, cell));
}

/**
 * Stores the text of a cell. A conflict is a failure with status 409 and the server's `draft`. With `leaving`, the request continues after
 * the page has closed.
 * @param {string} lesson
 * @param {string} cell
 * @param {{source: string | null, version: number, ran?: boolean}} draft
 * @param {{leaving?: boolean}} [how]
 * @returns {Promise<Answer<{version: number}>>}
 */
export async function saveDraft(lesson, cell, draft, { leaving = false } = {}) {
  return ask(draftUrl(lesson, cell), { method: "PUT", headers: JSON_TYPE, ...sent(draft, leaving) });
}

/** @param {ReportedWork} work @param {{leaving?: boolean}} [how] @returns {Promise<Answer<null>>} */
export async function reportWork(work, { leaving = false } = {}) {
  return ask("/api/me/work", { method: "POST", headers: JSON_TYPE, ...sent(work, leaving) });
}

/** Sets whether predictions that were wrong are asked again. @param {boolean} on @returns {Promise<Answer<null>>} */
export async function setReviews(on) {
  return ask("/api/me/reviews", { method: "PUT", headers: JSON_TYPE, body: JSON.stringify({ on }) });
}

/**
 * Raises the learner's hand in a class.
 * @param {number} classId
 * @param {{lesson: string, exercise: string, shares: boolean}} hand
 * @returns {Promise<Answer<null>>}
 */
export async function raiseHand(classId, hand) {
  return ask(`/api/me/classes/${classId}/hand`, { method: "PUT", headers: JSON_TYPE, body: JSON.stringify(hand) });
}

/** @param {number} classId @returns {Promise<Answer<null>>} */
export async function lowerHand(classId) {
  return ask(`/api/me/classes/${classId}/hand`, { method: "DELETE" });
}

/** Records that the learner has read a teacher's note. @param {string} id @returns {Promise<Answer<null>>} */
export async function markRead(id) {
  return ask(`/api/me/notes/${id}/read`, { method: "POST" });
}

/** @param {string} lesson @param {string} cell */
function draftUrl(lesson, cell) {
  return `/api/me/drafts/${lesson}/${encodeURIComponent(cell)}`;
}

/** @param {unknown} value @param {boolean} leaving */
function sent(value, leaving) {
  const body = JSON.stringify(value);
  return { body, keepalive: leaving && new TextEncoder().encode(body).length <= KEEPALIVE_BYTES };
}

/** @param {string} url @param {RequestInit} [init] @param {(response: Response) => Promise<any>} [read] @returns {Promise<Answer<any>>} */
async function ask(url, init = {}, read = (response) => response.json()) {
  try {
    const response = await fetch(url, { ...init, headers: { "accept-language": pageLanguage(), ...init.headers } });
    if (!response.ok) return await fail(response);
    return { ok: true, value: response.status === 204 ? null : await read(response) };
  } catch {
    return { ok: false, status: 0, code: "unreachable", message: "", reason: "", retryAfter: 0, draft: null };
  }
}

/** @param {Response} response @returns {Promise<Failure>} */
async function fail(response) {
  const body = await response.json().catch(() => null);
  const { code = "", message = "", reason = "", draft = null } = body?.error ?? {};
  return { ok: false, status: response.status, code, message, reason, retryAfter: Number(response.headers.get("retry-after")) || 0, draft };
}
