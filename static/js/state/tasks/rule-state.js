/** The learner's own words for a lesson's rule, and whether the lesson's words were shown. They are stored but not graded. */

import { signal } from "@preact/signals-core";

import { DraftState } from "../saving/draft-state.js";

const MOST_CHARACTERS = 2000;

export class RuleState extends DraftState {
  /** @param {import("../page-state.js").PageState} page @param {import("../saving/kept-work.js").KeptWork} work */
  constructor(page, work) {
    super({ id: "_rule", starter: "" }, page);
    this.work = work;
    page.others.push(this);
    const { told, words } = work.read("rule", "own");
    this.told = signal(told === true);
    if (typeof words === "string" && !this.text.value) this.write(words); // where older versions stored them
    if (words !== undefined) work.keep("rule", "own", { words: undefined });
  }

  /** @param {string} words */
  write(words) {
    this.edit(words.slice(0, MOST_CHARACTERS));
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
