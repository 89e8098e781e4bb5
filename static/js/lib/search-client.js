/** Asks the server's search. */

import { pageLanguage } from "./words.js";

/**
 * @typedef {import("./types.js").Schemas["SearchResult"]} SearchResult
 * @typedef {{ok: true, results: SearchResult[]} | {ok: false, retryAfter: number}} SearchAnswer  `retryAfter`: in seconds; 0 if the server
 *   did not answer or named no time
 */

const LONGEST = 4000;

/**
 * The part of a query that is sent, because an address must not be too long. A long query loses its beginning: a traceback ends with the
 * message.
 * @param {string} query
 */
export function shorten(query) {
  return query.slice(-LONGEST);
}

/** @param {string} query @param {AbortSignal} signal @returns {Promise<SearchAnswer>} a failure, too, if the signal is aborted */
export async function search(query, signal) {
  const asked = new URLSearchParams({ q: shorten(query), lang: pageLanguage() });
  try {
    const response = await fetch(`/api/search?${asked}`, { signal });
    if (!response.ok) return { ok: false, retryAfter: Number(response.headers.get("retry-after")) || 0 };
    return { ok: true, results: (await response.json()).results };
  } catch {
    return { ok: false, retryAfter: 0 };
  }
}
