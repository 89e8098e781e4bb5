/**
 * One text that the learner writes: a cell's, an exercise's, or the words of a rule. Each keystroke is stored in the browser, and the text
 * follows edits in other tabs. If the learner changed it in two places, both texts are offered.
 *
 * Fields are signals; methods are what a reader can do with the text.
 */

import { computed, signal } from "@preact/signals-core";

import { nameText } from "./drafts.js";

/**
 * @typedef {import("./drafts.js").Entry} Entry
 *
 * @typedef {{kind: "changed"} | {kind: "elsewhere", text: string, saved: boolean}} Conflict  the lesson's text changed
 *   after the edit, or another text was written elsewhere: in another tab, or `saved` on the server
 *
 * @typedef {{kind: "quiet" | "saved"} | {kind: "held", code: string, message: string}} Saved  "saved": the server has the text;
 *   "held": it does not, with the reason; "quiet": nothing is shown
 *
 * @typedef {object} Saver  sends the text to the server
 * @property {() => void} edited
 * @property {() => void} ran
 * @property {() => void} tell updates `saved` after another tab has stored a text or a response of the server
 */

/** @template {{id: string, starter: string}} [Facts={id: string, starter: string}] */
export class DraftState {
  /** @param {Facts} facts @param {import("../page-state.js").PageState} page */
  constructor(facts, page) {
    this.facts = facts;
    this.page = page;
    const { drafts } = page;
    const restored = drafts.restore(facts.id, facts.starter);
    this.text = signal(restored.kind === "starter" ? facts.starter : restored.text);
    this.conflict = signal(
      offered(drafts.read(facts.id)) ?? (restored.kind === "changed" ? /** @type {Conflict} */ ({ kind: "changed" }) : null),
    );
    /** The text that the last reset or the last restored version replaced; null if the learner has written since. */
    this.undoable = signal(drafts.undoable(facts.id));
    this.changed = computed(() => this.text.value !== this.facts.starter);
    this.saved = signal(/** @type {Saved} */ ({ kind: "quiet" }));
    /** The name of the stored text that this tab last wrote or read. */
    this.common = nameText(drafts.read(facts.id)?.text ?? null);
    /** Whether the learner has written something since the page was opened. */
    this.touched = false;
    /** @type {Saver | null} */
    this.saver = null;
  }

  get id() {
    return this.facts.id;
  }

  /** @param {string} text */
  edit(text) {
    if (text === this.text.value) return;
    this.lookElsewhere(text);
    this.text.value = text;
    this.keep();
    this.undoable.value = this.page.drafts.undoable(this.id);
  }

  reset() {
    const text = this.text.value;
    this.lookElsewhere(this.facts.starter);
    if (this.conflict.value?.kind === "changed") this.conflict.value = null;
    this.text.value = this.facts.starter;
    this.page.drafts.reset(this.id, this.facts.starter, text);
    this.undoable.value = this.page.drafts.undoable(this.id);
    this.kept();
  }

  undoReset() {
    if (this.undoable.value !== null) this.edit(this.undoable.value);
  }

  /** Restores an earlier text. The replaced text can be restored with undo. @param {string} text */
  bringBack(text) {
    const before = this.text.value;
    this.edit(text);
    this.page.drafts.remember(this.id, before);
    this.undoable.value = before;
  }

  keep() {
    this.page.drafts.keep(this.id, this.facts.starter, this.text.value);
    this.kept();
  }

  kept() {
    const { drafts, lasting } = this.page;
    this.common = this.name;
    if (!drafts.lasting) lasting.value = false; // otherwise unchanged: other data may not have been stored
    this.touched = true;
    this.saver?.edited();
  }

  get name() {
    return nameText(this.changed.value ? this.text.value : null);
  }

  /**
   * Offers a text that another tab stored and this tab has not read, instead of overwriting it.
   * @param {string} text the text that is about to be stored
   */
  lookElsewhere(text) {
    const entry = this.page.drafts.read(this.id);
    const theirs = entry?.text ?? this.facts.starter;
    if (nameText(entry?.text ?? null) === this.common || theirs === text || entry?.other != null) return;
    this.page.drafts.offer(this.id, theirs);
    this.conflict.value = { kind: "elsewhere", text: theirs, saved: false };
  }

  /** Resolves the conflict: the text on this page wins over the offered one. */
  keepMine() {
    this.page.drafts.settle(this.id, this.facts.starter);
    this.conflict.value = null;
    this.keep();
  }

  takeOther() {
    const conflict = this.conflict.value;
    if (conflict?.kind !== "elsewhere") return;
    this.page.drafts.settle(this.id, this.facts.starter);
    this.conflict.value = null;
    if (conflict.text === this.text.value) this.keep();
    else this.edit(conflict.text);
  }

  /**
   * Reads the stored text, which another tab or the server's answer may have changed. If this tab has no edits of its own, it shows that
   * text; otherwise it offers it.
   */
  follow() {
    const entry = this.page.drafts.read(this.id);
    const theirs = entry?.text ?? this.facts.starter;
    if (theirs !== this.text.value && this.name !== this.common) {
      this.conflict.value = { kind: "elsewhere", text: theirs, saved: false };
      return;
    }
    if (theirs !== this.text.value) this.conflict.value = null; // also a conflict with the lesson, since this is another text
    this.common = nameText(entry?.text ?? null);
    this.text.value = theirs;
    if (this.conflict.value?.kind !== "changed") this.conflict.value = offered(entry);
    this.undoable.value = entry?.undo ?? null;
    this.saver?.tell();
  }
}

/** @param {Entry | null} entry @returns {Conflict | null} */
function offered(entry) {
  return entry?.other == null ? null : { kind: "elsewhere", text: entry.other, saved: entry.from > 0 };
}
