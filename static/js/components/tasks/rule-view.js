/** The lesson's rule: the learner states it first, and then compares it with the lesson's words. It is not graded. */

import { html, nothing } from "lit";

import { t } from "../../lib/words.js";
import { cellNote } from "../cell/cell-note.js";
import { PageElement } from "../page/page-element.js";

class RuleView extends PageElement {
  /** @override */
  static properties = { rule: { attribute: false } };

  constructor() {
    super();
    /** @type {import("../../state/tasks/rule-state.js").RuleState | null} */
    this.rule = null;
    /** @type {Element | null} */
    this.text = null;
  }

  /** @override */
  willUpdate() {
    if (!this.rule || this.text) return;
    this.text = this.querySelector(":scope .rule-text");
    this.querySelector(":scope > .rule")?.remove();
  }

  /** @override */
  render() {
    const { rule } = this;
    if (!rule) return nothing;
    return html`<section class="rule" aria-labelledby="rule-title">
      <h2 class="task-kicker" id="rule-title">${t("The rule of this lesson")}</h2>
      ${cellNote(rule)} ${rule.told.value ? this.compared(rule) : this.form(rule)}
    </section>`;
  }

  /** @param {import("../../state/tasks/rule-state.js").RuleState} rule */
  form(rule) {
    const write = (/** @type {Event} */ event) => rule.write(/** @type {HTMLTextAreaElement} */ (event.target).value);
    return html`<label for="own-rule">${t("Say it in your own words, in one sentence:")}</label>
      <textarea id="own-rule" rows="3" .value=${rule.text.value} @input=${write}></textarea>
      <div class="button-row">
        <button class="button" type="button" ?disabled=${!rule.text.value.trim()} @click=${() => void this.tell(rule)}>
          ${t("Compare")}
        </button>
        <button class="button quiet" type="button" @click=${() => void this.tell(rule)}>${t("Show the rule")}</button>
        ${rule.saved.value.kind === "saved" ? html`<span class="side-note">${t("Saved")}</span>` : nothing}
      </div>`;
  }

  /** @param {import("../../state/tasks/rule-state.js").RuleState} rule */
  compared(rule) {
    const own = rule.text.value.trim();
    return html`<div class="rule-both ${own ? "" : "alone"}">
        ${
          own
            ? html`<figure>
                <figcaption>${t("Yours")}</figcaption>
                <p class="own">${own}</p>
              </figure>`
            : nothing
        }
        <figure class="lesson-rule" tabindex="-1">
          <figcaption>${t("The lesson’s")}</figcaption>
          ${this.text}
        </figure>
      </div>
      <p class="task-again">
        <button class="link" type="button" @click=${() => void this.back(rule)}>
          ${own ? t("Change your words") : t("Say it in your own words")}
        </button>
      </p>`;
  }

  /** @param {import("../../state/tasks/rule-state.js").RuleState} rule */
  async tell(rule) {
    rule.tell();
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector(".lesson-rule"))?.focus();
  }

  /** @param {import("../../state/tasks/rule-state.js").RuleState} rule */
  async back(rule) {
    rule.hide();
    await this.updateComplete;
    this.querySelector("textarea")?.focus();
  }
}

customElements.define("rule-view", RuleView);
