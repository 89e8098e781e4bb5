/** Below an exercise, for a reader who is in a class: raises their hand, says who is coming, and lowers it. */

import { signal } from "@preact/signals-core";
import { html, nothing } from "lit";

import { lowerHand, raiseHand } from "../../lib/me/me-client.js";
import { failureWords } from "../../lib/me/me-words.js";
import { t } from "../../lib/words.js";
import "../page/page-base.js";
import { PageElement } from "../page/page-element.js";

/**
 * @typedef {import("../../state/classes/class-events.js").Hand} Hand
 * @typedef {{id: number, name: string}} OwnClass
 */

/** The raised hands of the reader, in all of their classes. @type {import("@preact/signals-core").Signal<Hand[]>} */
export const hands = signal([]);

class AskForHelp extends PageElement {
  /** @override */
  static properties = { asking: { state: true }, busy: { state: true }, failure: { state: true } };

  constructor() {
    super();
    this.lesson = "";
    this.exercise = "";
    /** @type {OwnClass[]} */
    this.classes = [];
    this.asking = false;
    this.busy = false;
    this.failure = "";
  }

  /** @override */
  render() {
    const own = hands.value.find((hand) => hand.raised && hand.lesson === this.lesson && hand.exercise === this.exercise);
    const coming = hands.value.find((hand) => hand.helper && (hand === own || !hand.raised));
    return html`${coming ? html`<p class="coming-to-me">${comingWords(coming)}</p>` : nothing}
      ${own ? this.raised(own) : this.asking ? this.form() : this.offer()}
      ${this.failure ? html`<p class="failure-words" role="status">${this.failure}</p>` : nothing}`;
  }

  offer() {
    return html`<button class="button quiet ask" type="button" @click=${() => void this.ask(true)}>${t("Ask for help")}</button>`;
  }

  form() {
    return html`<form class="help-form" aria-label=${t("Ask for help")} @submit=${(/** @type {SubmitEvent} */ event) => void this.raise(event)}>
      <p>${t("Your name goes to those who teach your class, with this exercise and your submissions.")}</p>
      ${
        this.classes.length > 1
          ? html`<label>${t("Class")} <select name="class">${this.classes.map((one) => html`<option value=${one.id}>${one.name}</option>`)}</select></label>`
          : nothing
      }
      <label class="choice-line"><input type="checkbox" name="shares" />${t("Show my teacher my text as it is now")}</label>
      <p class="button-row">
        <button class="button" type="submit" ?disabled=${this.busy}>${t("Raise my hand")}</button>
        <button class="button quiet" type="button" @click=${() => void this.ask(false)}>${t("Cancel")}</button>
      </p>
    </form>`;
  }

  /** @param {Hand} hand */
  raised(hand) {
    return html`<div class="help-raised">
      <p><strong>${t("Your hand is raised.")}</strong> ${hand.shares ? t("Your teacher can see your text as it is now.") : nothing}</p>
      <button class="button quiet" type="button" ?disabled=${this.busy} @click=${() => void this.lower(hand)}>${t("Lower my hand")}</button>
    </div>`;
  }

  /** @param {boolean} asking */
  async ask(asking) {
    this.asking = asking;
    this.failure = "";
    await this.focusOn(asking ? "input, select" : ".ask");
  }

  /** @param {SubmitEvent} event */
  async raise(event) {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const classId = Number(given.get("class") ?? this.classes[0]?.id);
    const hand = { lesson: this.lesson, exercise: this.exercise, shares: given.has("shares") };
    this.busy = true;
    const answer = await raiseHand(classId, hand);
    this.busy = false;
    this.failure = answer.ok ? "" : failureWords(answer);
    if (!answer.ok) return;
    this.asking = false;
    hands.value = [...without(classId), { ...hand, class_id: classId, raised: true, helper: null }];
    await this.focusOn(".help-raised button");
  }

  /** @param {Hand} hand */
  async lower(hand) {
    this.busy = true;
    const answer = await lowerHand(hand.class_id);
    this.busy = false;
    this.failure = answer.ok ? "" : failureWords(answer);
    if (!answer.ok) return;
    hands.value = without(hand.class_id);
    await this.focusOn(".ask");
  }

  /** Focuses the element that replaces the pressed button. @param {string} selector */
  async focusOn(selector) {
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector(selector))?.focus();
  }
}

/** @param {number} classId */
function without(classId) {
  return hands.value.filter((hand) => hand.class_id !== classId);
}

/** Says who is coming. The name is isolated, because it may be written from right to left. @param {Hand} hand */
export function comingWords({ helper }) {
  return t("{name} is coming.", { name: `\u2068${helper}\u2069` });
}

customElements.define("ask-for-help", AskForHelp);
