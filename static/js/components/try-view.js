/** Something to try: the words of the lesson, and a button that makes the edit and runs the cell. */

import { html, nothing } from "lit";

import { t } from "../lib/words.js";
import { PageElement } from "./page-element.js";

/** @typedef {import("../state/try-state.js").TryState} TryState */

class TryView extends PageElement {
  /** @override */
  static properties = { tried: { attribute: false } };

  constructor() {
    super();
    /** @type {TryState | null} */
    this.tried = null;
    /** @type {Element | null} */
    this.words = null;
  }

  /** @override */
  willUpdate() {
    if (!this.tried || this.words) return;
    this.words = this.querySelector(":scope > .try > .try-text");
    this.querySelector(":scope > .try")?.remove();
  }

  /** @override */
  render() {
    if (!this.tried) return nothing;
    return html`<div class="try"><p class="kicker">${t("Try it")}</p>${this.words}<div class="row">${this.way(this.tried)}</div></div>`;
  }

  /** One button, so that the keyboard stays where it is. @param {TryState} tried */
  way(tried) {
    const state = tried.state.value;
    const where = tried.cells.map((cell) => cell.facts.number).join(", ");
    const { number } = tried.cell.facts;
    const made = where === String(number) ? t("Changed and run: cell {number}.", { number }) : t("Changed: cell {numbers}. Run: cell {number}.", { numbers: where, number });
    const note = { open: "", there: "", made, gone: t("The text that this changes is not in cell {numbers} any more. Reset the cell to make this change.", { numbers: where }) }[state];
    return html`<button class="button quiet" type="button" aria-disabled=${state === "gone" ? "true" : "false"} @click=${() => void (state === "made" ? tried.takeBack() : tried.make())}>
        ${state === "made" ? t("Take it back") : state === "there" ? t("Run cell {number} with this change", { number }) : t("Make this change")}</button>
      <span class="aside" role="status">${note}</span>`;
  }
}

customElements.define("try-view", TryView);
