/** The state of the page "My work": how much the server and this browser store of the reader's work. */

import { signal } from "@preact/signals-core";

import { readHoldings } from "../lib/me/me-client.js";
import { bringOver, countUnsaved } from "./saving/bring-over.js";
import { countKept } from "./saving/this-browser.js";

/** @typedef {import("../lib/me/me-client.js").Holdings} Holdings */

export class MineState {
  constructor() {
    this.holdings = signal(/** @type {import("../lib/me/me-client.js").Answer<Holdings> | null} */ (null));
    this.browser = signal(/** @type {{programs: number, results: number, unsaved: number} | null} */ (null));
  }

  /** What the server stores; null if that is not known. @returns {Holdings | null} */
  get known() {
    const answer = this.holdings.value;
    return answer?.ok ? answer.value : null;
  }

  /** Sends the server the work that it does not have yet, so that the figures and the zip are complete; then reads the figures. */
  async ask() {
    const open = () => window.localStorage;
    await bringOver(open);
    const [holdings, browser] = await Promise.all([readHoldings(), countKept()]);
    this.holdings.value = holdings;
    this.browser.value = { ...browser, unsaved: countUnsaved(open) };
  }
}
