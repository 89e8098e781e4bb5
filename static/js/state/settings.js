/** The reader's settings for all pages, stored in the browser. */

import { effect, signal } from "@preact/signals-core";

/** @typedef {import("./saving/drafts.js").Store} Store */

const KEY = "gradroom/settings";

/**
 * `movesOn`: Shift+Enter moves to the next cell. `singleKeys`: `?` and the other shortcuts without Ctrl work. `showsAnswers`: text that
 * gives away what a cell shows, or the result of an edit, is not folded.
 */
const USUAL = { movesOn: true, singleKeys: true, showsAnswers: false };

export class Settings {
  /** @param {() => Store} open */
  constructor(open) {
    const kept = read(open);
    this.movesOn = signal(kept.movesOn);
    this.singleKeys = signal(kept.singleKeys);
    this.showsAnswers = signal(kept.showsAnswers);
    effect(() => write(open, { movesOn: this.movesOn.value, singleKeys: this.singleKeys.value, showsAnswers: this.showsAnswers.value }));
  }
}

/** @param {() => Store} open @returns {typeof USUAL} */
function read(open) {
  try {
    return { ...USUAL, ...JSON.parse(open().getItem(KEY) ?? "{}") };
  } catch {
    return USUAL;
  }
}

/** @param {() => Store} open @param {typeof USUAL} settings */
function write(open, settings) {
  try {
    if (JSON.stringify(settings) === JSON.stringify(USUAL)) open().removeItem(KEY);
    else open().setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage the settings are lost with the page.
  }
}
