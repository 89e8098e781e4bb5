/** What the learner says of a lesson's rule, and whether the lesson's own words were read. Kept, never judged. */

import { signal } from "@preact/signals-core";

const MOST_CHARACTERS = 2000;

export class RuleState {
  /** @param {import("./kept-work.js").KeptWork} work */
  constructor(work) {
    this.work = work;
    const kept = work.read("rule", "own");
    this.words = signal(typeof kept["words"] === "string" ? kept["words"] : "");
    this.told = signal(kept["told"] === true);
  }

  /** @param {string} words */
  write(words) {
    this.words.value = words.slice(0, MOST_CHARACTERS);
    this.work.keep("rule", "own", { words: this.words.value });
  }

  tell() {
    this.told.value = true;
    this.work.keep("rule", "own", { told: true });
  }

  hide() {
    this.told.value = false;
    this.work.keep("rule", "own", { told: false });
  }
}
