/** An edit to try: the lesson's text, a button that makes the edit and runs the cell, and the outcome. */

import { html, nothing } from "lit";

import { pieces, t } from "../../lib/words.js";
import { PageElement } from "../page/page-element.js";
import { withException } from "../results/panel.js";
import { ready } from "../results/records.js";
import { summary } from "../results/run-summary.js";

/** @typedef {import("../../state/tasks/try-state.js").TryState} TryState */

const CHARACTERS = 40;

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
    return html`<div class="try">
      <p class="task-kicker">${t("Try it")}</p>
      ${this.words}
      <div class="button-row">${this.way(this.tried)}</div>
    </div>`;
  }

  /** The button that makes or undoes the edit. It is one button, so that it keeps the focus. @param {TryState} tried */
  way(tried) {
    const state = tried.state.value;
    const made = state === "made";
    return html`<button
        class="button quiet"
        type="button"
        aria-disabled=${state === "gone" ? "true" : "false"}
        @click=${() => void (made ? tried.takeBack() : tried.make())}
      >
        ${made ? t("Take it back") : t("Make this change")}
      </button>
      <span class="side-note" role="status">${this.note(tried, state)}</span>`;
  }

  /** The outcome of the edit, or a remark before it is made. @param {TryState} tried @param {TryState["state"]["value"]} state */
  note(tried, state) {
    const { cell, cells, inTheWay, tries } = tried;
    const where = cells.map(({ facts }) => facts.number).join(", ");
    if (state === "gone")
      return t("The text that this changes is not in cell {numbers} any more. Reset the cell to make this change.", { numbers: where });
    const told = tries.told.value;
    if (told && tried.isTold && ready.value) {
      const done = told.made ? t("Changed and run.") : t("Taken back and run.");
      const see = html`<button class="link" type="button" @click=${() => cell.page.point(cell, null)}>
        ${t("See cell {number}", { number: cell.facts.number })}
      </button>`;
      return pieces("{done} {what} {see}", { done, what: withException(sentence(summary(told.now, told.before)), raised(told.now)), see });
    }
    if (state === "made") return t("This change stands in cell {numbers}.", { numbers: where });
    return state === "replaces" && inTheWay ? t("It takes the place of the change “{other}”.", { other: begin(inTheWay.words) }) : nothing;
  }
}

/** The name of the exception that ended a run. @param {import("../../state/run-state.js").RunState} state */
function raised({ result }) {
  return result?.outcome === "raised" ? result.error?.type : "";
}

/** Makes a sentence of a list of words: capitalises "it" or "the" at its start, but no name, and adds a full stop. @param {string} words */
function sentence(words) {
  const begun = words.replace(/^(it|the) /, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  return /[.。]$/.test(begun) || !begun ? begun : t("{words}.", { words: begun });
}

/** The first words of a text, shortened to CHARACTERS. @param {string} words */
function begin(words) {
  const text = words.trim().replace(/\s+/g, " ");
  const end = /[\s,，、.。;；:：]+$/;
  return text.length > CHARACTERS ? `${text.slice(0, CHARACTERS).replace(end, "")}…` : text.replace(end, "");
}

customElements.define("try-view", TryView);
