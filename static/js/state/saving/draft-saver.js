/**
 * Sends a text to the server when the learner pauses, runs it or leaves the page. One request is under way at a time; the next one sends
 * the latest text.
 *
 * There is no queue: the text to send is the one that the browser stores, if the server does not have it. So nothing is lost when the page
 * is closed.
 */

import { HOPELESS, saveDraft } from "../../lib/me/me-client.js";
import { wellFormed } from "../../lib/python/positions.js";
import { Retry } from "../../lib/run/retry.js";
import { nameText } from "./drafts.js";

/**
 * @typedef {import("./draft-state.js").DraftState} DraftState
 * @typedef {import("../../lib/me/me-client.js").Failure} Failure
 *
 * @typedef {object} Saving  common to all texts of a lesson
 * @property {string} lesson its path
 * @property {() => void} reached called when the server has stored something
 */

const PAUSE_MS = 1500;
const MOST_ROUNDS = 5;

export class DraftSaver {
  /** @param {DraftState} draft @param {Saving} saving */
  constructor(draft, saving) {
    this.draft = draft;
    this.saving = saving;
    this.retry = new Retry(() => void this.send());
    /** The names (hashes) of the texts whose requests have no answer yet. @type {string[]} */
    this.sending = [];
    /** Whether the text changed while a request was under way, so that another has to follow. */
    this.again = false;
    /** A text that the learner ran, until the server has confirmed that it knows of the run. @type {string | null} */
    this.ranText = null;
    /** How many conflicts in a row were resolved by sending the browser's text again. */
    this.rounds = 0;
    draft.saver = this;
    if (this.unsaved) void this.send();
  }

  get unsaved() {
    const { id, page } = this.draft;
    return page.drafts.unsaved(id);
  }

  /** Whether the server has stored the text, as far as this browser knows. */
  get isSaved() {
    const { id, page } = this.draft;
    const entry = page.drafts.read(id);
    return entry !== null && entry.version > 0 && entry.other === null && !this.unsaved && !this.sending.length;
  }

  edited() {
    this.ranText = null;
    this.tell();
    this.retry.soon(PAUSE_MS);
  }

  ran() {
    if (this.draft.changed.value) this.ranText = this.draft.text.value;
    this.retry.now();
  }

  /** Shows "Saved" if the server has the text, and removes it otherwise. The reason of a failed save stays. */
  tell() {
    const { saved, touched } = this.draft;
    if (this.isSaved) saved.value = { kind: touched ? "saved" : "quiet" };
    else if (saved.value.kind === "saved") saved.value = { kind: "quiet" };
  }

  /** Sends what is unsaved: the server may be reachable again, or the page is about to close. @param {boolean} [leaving] */
  flush(leaving = false) {
    if (!this.unsaved) return;
    if (leaving) void this.send(leaving);
    else this.retry.now();
  }

  /** @param {boolean} [leaving] */
  async send(leaving = false) {
    const { draft, saving } = this;
    const { drafts } = draft.page;
    const entry = drafts.read(draft.id);
    const ran = entry !== null && entry.text !== null && entry.text === this.ranText;
    if (!entry || entry.other !== null || !(ran || this.unsaved)) return this.retry.rest();
    const name = nameText(entry.text);
    if (this.sending.includes(name) && !ran) return;
    if (this.sending.length && !leaving) return void (this.again = true);
    this.sending.push(name);
    this.retry.clear();
    drafts.noteSent(draft.id, entry.text);
    const source = entry.text === null ? null : wellFormed(entry.text);
    const answer = await saveDraft(saving.lesson, draft.id, { source, version: entry.version, ...(ran ? { ran } : {}) }, { leaving });
    this.sending.splice(this.sending.indexOf(name), 1);
    if (answer.ok) this.take(entry.text, answer.value.version, ran);
    else if (answer.status === 409 && answer.draft) this.meet(answer.draft);
    else this.hold(answer);
    if (!this.again) return;
    this.again = false;
    this.retry.soon(0);
  }

  /** Records that the server stored `text` as `version`. @param {string | null} text @param {number} version @param {boolean} ran */
  take(text, version, ran) {
    const { draft } = this;
    draft.page.drafts.noteSaved(draft.id, text, version);
    if (ran && this.ranText === text) this.ranText = null;
    this.rounds = 0;
    this.retry.failures = 0;
    this.tell();
    if (this.unsaved) this.retry.soon(PAUSE_MS);
    else this.retry.rest();
    if (this.ranText !== null) this.again = true;
    this.saving.reached();
  }

  /**
   * Resolves a conflict: the server has another text than the one from which this text was edited.
   * @param {import("./drafts.js").ServerDraft} server
   */
  meet(server) {
    const { draft } = this;
    const meeting = draft.page.drafts.meet(draft.id, draft.facts.starter, server);
    draft.follow();
    this.tell();
    if (meeting === "ours" && this.rounds++ < MOST_ROUNDS) void this.send();
    else this.retry.rest();
  }

  /** @param {Failure} failure */
  hold({ status, code, message, retryAfter }) {
    if (HOPELESS.includes(status)) this.retry.rest();
    else this.retry.fail(retryAfter);
    if (status !== 429) this.draft.saved.value = { kind: "held", code, message };
  }
}
