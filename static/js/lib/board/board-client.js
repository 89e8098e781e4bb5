/**
 * Requests of the board of a class: its events, one member's work, and what a helper does. None of the functions throws: a failed request
 * is a status, 0 if there was no answer.
 */

import { readEvents } from "../run/event-stream.js";
import { pageLanguage } from "../words.js";

/**
 * @typedef {{mistake?: string, check?: string, code?: string}} Failure  what did not pass: a known mistake, or else a check
 *
 * @typedef {object} BoardRow  a member
 * @property {number} member
 * @property {string} name
 * @property {string} [number]
 * @property {"hand" | "stuck" | "working" | "away"} group
 * @property {string} reason
 * @property {number | null} [since_ms]
 * @property {string} [lesson]
 * @property {string} [exercise]
 * @property {number} [tries] how many submissions in a row brought no new check
 * @property {number | null} [attempt] the last one, if it did not pass
 * @property {Failure | null} [failure]
 * @property {boolean} [hand]
 * @property {boolean} [shares]
 * @property {string} [helper] who is coming
 *
 * @typedef {{lesson: string, exercise: string, failure: Failure, members: number[], attempts: number[]}} Cluster
 *
 * @typedef {object} BoardNews  a board, or what has changed of it
 * @property {number} at the server's time, in ms since 1970
 * @property {BoardRow[]} rows
 * @property {number[]} [gone]
 * @property {Cluster[] | null} [clusters]
 * @property {{tries: number, minutes: number} | null} [limits]
 * @property {boolean} [whole] whether nothing of an earlier board holds
 * @property {Record<string, string>} [words]
 *
 * @typedef {{attempt: number, line: number, text: string, author: string, at_ms: number, read_ms: number | null}} WrittenNote
 *
 * @typedef {object} MemberAttempt  an attempt; `lines` begin with "+", "-" or " "
 * @property {number} id
 * @property {Omit<import("../me/me-client.js").SentAttempt, "checks"> & {checks: import("../types.js").CheckNews[]}} answer
 * @property {{passed: number, total: number}} hidden
 * @property {string[]} lines
 * @property {WrittenNote[]} notes
 *
 * @typedef {import("../numbers/answers.js").Answer} Given
 * @typedef {{question: string, first: Given | null, first_right: boolean | null, last: Given | null, last_right: boolean | null}} Predicted
 *
 * @typedef {object} MemberWork
 * @property {number} member
 * @property {string} name
 * @property {string | null} number
 * @property {string} place "chapter/lesson/exercise"
 * @property {string} title
 * @property {string} lesson_title
 * @property {{place: string, title: string, lesson_title: string, attempts: number, passed: boolean}[]} tried
 * @property {MemberAttempt[]} attempts newest first
 * @property {Predicted[]} predictions
 * @property {boolean} hand
 * @property {string | null} helper
 * @property {string[] | null} shown the text as it is now, if the member shows it
 * @property {string | null} shown_at
 *
 * @typedef {{type: "board", news: BoardNews} | {type: "unreadable" | "ended"} | {type: "lost", status: number}} StreamNews
 */

/** How long a stream may be silent, in ms. The server sends something every ten seconds. */
const SILENCE_MS = 25_000;
const AGAIN_MS = [500, 1000, 2000, 3000];
/** The statuses with which asking again is of no use. */
const ENDED = [401, 403, 404];

/**
 * Follows the board of a class until the page is left. After each loss it asks again, and then gets all rows.
 * @param {number} id
 * @param {(news: StreamNews) => void} tell
 */
export async function followBoard(id, tell) {
  for (let losses = 0; ; losses++) {
    const status = await followOnce(id, (news) => {
      losses = 0;
      tell(news);
    });
    if (ENDED.includes(status)) return tell({ type: "ended" });
    tell({ type: "lost", status });
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS[Math.min(losses, AGAIN_MS.length - 1)]));
  }
}

/** @param {number} id @param {(news: StreamNews) => void} tell @returns {Promise<number>} the status that ended it; 0 if it was lost */
async function followOnce(id, tell) {
  const gaveUp = new AbortController();
  let timer = setTimeout(() => gaveUp.abort(), SILENCE_MS);
  try {
    const headers = { accept: "text/event-stream", "accept-language": pageLanguage() };
    const answer = await fetch(`/api/classes/${id}/board/events?lang=${pageLanguage()}`, { headers, signal: gaveUp.signal });
    if (!answer.ok || !answer.body) return answer.status;
    for await (const { event, data } of readEvents(answer.body)) {
      clearTimeout(timer);
      timer = setTimeout(() => gaveUp.abort(), SILENCE_MS);
      if (event === "ended") return 403;
      if (event === "board") tell({ type: "board", news: JSON.parse(data) });
      else if (event === "unreadable") tell({ type: "unreadable" });
    }
  } catch {
    // The server restarts, or the network is gone.
  } finally {
    clearTimeout(timer);
  }
  return 0;
}

/** @param {number} id @param {number} member @param {string} place @returns {Promise<MemberWork | number>} or the status */
export async function readMember(id, member, place) {
  return ask(`/api/classes/${id}/members/${member}?${new URLSearchParams({ place, lang: pageLanguage() })}`);
}

/**
 * Tells a member that a helper is coming, or not after all; or lowers the member's hand.
 * @param {number} id
 * @param {number} member
 * @param {"come" | "stay" | "lower"} act
 * @returns {Promise<null | number>}
 */
export async function helpMember(id, member, act) {
  const method = act === "come" ? "POST" : "DELETE";
  return ask(`/api/classes/${id}/members/${member}/${act === "lower" ? "hand" : "coming"}`, { method });
}

/** @param {number} id @param {number} attempt @param {number} line @param {string} text @returns {Promise<{id: number} | number>} */
export async function writeNote(id, attempt, line, text) {
  const body = JSON.stringify({ line, text });
  return ask(`/api/classes/${id}/attempts/${attempt}/notes`, { method: "POST", headers: { "content-type": "application/json" }, body });
}

/** @param {string} url @param {RequestInit} [init] @returns {Promise<any>} */
async function ask(url, init) {
  try {
    const answer = await fetch(url, init);
    if (!answer.ok) return answer.status;
    return answer.status === 204 ? null : await answer.json();
  } catch {
    return 0;
  }
}
