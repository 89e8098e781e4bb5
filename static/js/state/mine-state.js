/** What the page "My work" knows: what the server and this browser keep of the reader. */

import { signal } from "@preact/signals-core";

import { countKept } from "./this-browser.js";
import { readHoldings } from "../lib/me-client.js";

/** @typedef {import("../lib/me-client.js").Holdings} Holdings */

export class MineState {
  constructor() {
    this.holdings = signal(/** @type {import("../lib/me-client.js").Answer<Holdings> | null} */ (null));
    this.browser = signal(/** @type {{programs: number, results: number} | null} */ (null));
  }

  /** What the server keeps; null while that is not known. @returns {Holdings | null} */
  get known() {
    const answer = this.holdings.value;
    return answer?.ok ? answer.value : null;
  }

  async ask() {
    const [holdings, browser] = await Promise.all([readHoldings(), countKept()]);
    this.holdings.value = holdings;
    this.browser.value = browser;
  }
}
