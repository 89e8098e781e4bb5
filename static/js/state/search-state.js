/** What the search dialog shows: the query, the latest answer, and the result that is chosen. */

import { batch, signal } from "@preact/signals-core";

/** @typedef {import("../lib/search-client.js").SearchAnswer} SearchAnswer */

/** For how long nothing must be typed before the server is asked. */
const PAUSE_MS = 80;

export class SearchState {
  /** @param {(query: string, signal: AbortSignal) => Promise<SearchAnswer>} ask */
  constructor(ask) {
    this.ask = ask;
    this.query = signal("");
    /**
     * The answer to this query or, while `waiting`, to an earlier one; null without a query.
     * @type {import("@preact/signals-core").Signal<SearchAnswer | null>}
     */
    this.answer = signal(null);
    this.waiting = signal(false);
    this.chosen = signal(0);
    /** Whether the chosen result was reached with the arrow keys. */
    this.walking = false;
    this.request = new AbortController();
    this.timer = 0;
    this.answered = Promise.resolve();
  }

  get results() {
    return this.answer.value?.ok ? this.answer.value.results : [];
  }

  /** Searches for a text, unless that is the present query. @param {string} text */
  type(text) {
    const query = text.trim();
    if (query === this.query.value) return;
    this.query.value = query;
    this.searchIn(PAUSE_MS);
  }

  /** Asks for the present query after `ms` milliseconds, and drops the request before. @param {number} ms when */
  searchIn(ms) {
    this.cancel();
    if (!this.query.value) return this.show(null);
    this.waiting.value = true;
    this.timer = window.setTimeout(() => this.searchNow(), ms);
  }

  searchNow() {
    this.cancel();
    this.answered = this.receive(this.request.signal);
  }

  /** @param {AbortSignal} signal aborted if another query takes the place of this one */
  async receive(signal) {
    const answer = await this.ask(this.query.value, signal);
    if (signal.aborted) return;
    this.show(answer);
    if (!answer.ok && answer.retryAfter) this.timer = window.setTimeout(() => this.searchNow(), answer.retryAfter * 1000);
  }

  cancel() {
    window.clearTimeout(this.timer);
    this.request.abort();
    this.request = new AbortController();
  }

  /** @param {SearchAnswer | null} answer */
  show(answer) {
    this.walking = false;
    batch(() => {
      this.answer.value = answer;
      this.chosen.value = 0;
      this.waiting.value = false;
    });
  }

  /** The chosen result of the present query, once that is answered; null if there is none. */
  async settle() {
    if (this.waiting.value) {
      this.searchNow();
      await this.answered;
    }
    return this.waiting.value ? null : (this.results[this.chosen.value] ?? null);
  }

  /**
   * Chooses another result by a key: an arrow key, or once one was pressed, Home or End. Returns whether the key did so.
   * @param {string} key
   */
  move(key) {
    const count = this.results.length;
    const { value } = this.chosen;
    const next = { ArrowDown: value + 1, ArrowUp: value - 1, Home: this.walking ? 0 : undefined, End: this.walking ? -1 : undefined }[key];
    if (!count || next === undefined) return false;
    this.walking = true;
    this.chosen.value = (next + count) % count;
    return true;
  }
}
