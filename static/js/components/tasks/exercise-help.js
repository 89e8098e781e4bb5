/** The help for an exercise: its hints, one after the other, and after an attempt, the solution. */

import { html, nothing } from "lit";

import { t } from "../../lib/words.js";
import { icon } from "../page/icons.js";
import { orMissing } from "../page/missing-part.js";
import { ExerciseElement } from "../page/page-element.js";

/** @typedef {import("../../state/tasks/exercise-state.js").ExerciseState} ExerciseState */

class ExerciseHelp extends ExerciseElement {
  /** @override */
  static properties = { sure: { state: true } };

  constructor() {
    super();
    /** Whether the reader asked for the solution and has not confirmed it yet. */
    this.sure = false;
    /** The hints in the server's HTML. @type {Element[]} */
    this.hints = [];
  }

  /** @override @param {import("lit").PropertyValues<this>} changed */
  willUpdate(changed) {
    if (!changed.has("exercise") || !this.exercise || this.hints.length) return;
    this.hints = [...this.querySelectorAll(":scope > .hint > .hint-text")];
    for (const hint of this.querySelectorAll(":scope > .hint")) hint.remove();
  }

  /** @override */
  render() {
    const { exercise } = this;
    if (!exercise) return nothing;
    const count = this.hints.length;
    const read = Math.min(exercise.hints.value, count);
    return html`${this.hints.slice(0, read).map(
      (hint, index) =>
        html`<div class="hint" tabindex="-1" role="group" aria-label=${t("Hint {number} of {count}", { number: index + 1, count })}>
            <p class="hint-title">${icon("bulb")}${t("Hint {number} of {count}", { number: index + 1, count })}</p>
            ${hint}
          </div>`,
    )}
      ${exercise.solution.value ? this.solution(exercise) : nothing}
      <div class="button-row help-row">
        ${
          read < count
            ? html`<button class="button quiet" type="button" @click=${() => void this.hint(exercise)}>
                ${icon("bulb")}${t("Hint {number} of {count}", { number: read + 1, count })}
              </button>`
            : nothing
        }
        ${this.offer(exercise)}
      </div>`;
  }

  /** @param {ExerciseState} exercise */
  async hint(exercise) {
    exercise.hint();
    await this.updateComplete;
    /** @type {HTMLElement | undefined} */ ([...this.querySelectorAll(".hint")].at(-1))?.focus();
  }

  /** @param {ExerciseState} exercise */
  offer(exercise) {
    const { tries } = exercise.facts;
    if (tries === null || exercise.solution.value || (tries && exercise.standing.value === "new")) return nothing;
    const missing = tries - Math.max(exercise.attempts.value.length, exercise.count.value, 1);
    if (missing > 0)
      return html`<p class="side-note">${t("Submissions of yours until the solution is shown: {tries}.", { tries: missing })}</p>`;
    const why = exercise.withheld.value;
    if (exercise.seen.value || !["new", "tried"].includes(exercise.standing.value))
      return html`<button class="button quiet show-solution" type="button" @click=${() => void this.reveal(exercise)}>
          ${t("Show the solution")}</button
        >${this.withheld(why)}`;
    if (!this.sure)
      return html`<button class="button quiet show-solution" type="button" @click=${() => void this.ask()}>
        ${t("Show the solution")}
      </button>`;
    return html`<div class="solution-sure" role="group" aria-label=${t("Show the solution")}>
      <p>${t("You can still solve it afterwards; it will then say that you have seen the solution.")}</p>
      <button class="button" type="button" @click=${() => void this.reveal(exercise)}>${t("Show it")}</button>
      <button class="button quiet" type="button" @click=${() => void this.ask(false)}>${t("Not yet")}</button>${this.withheld(why)}
    </div>`;
  }

  /** @param {string} why */
  withheld(why) {
    return why
      ? html`<p class="failure-words" role="status">${why === "lost" ? t("The server is out of reach. Your code is kept.") : why}</p>`
      : nothing;
  }

  /** @param {boolean} [sure] */
  async ask(sure = true) {
    this.sure = sure;
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector(sure ? ".solution-sure .button" : ".show-solution"))?.focus();
  }

  /** @param {ExerciseState} exercise */
  async reveal(exercise) {
    await Promise.all([exercise.reveal(), orMissing(import("../cell/code-listing.js"))]);
    if (!exercise.solution.value) return;
    this.sure = false;
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector(".exercise-solution"))?.focus();
  }

  /** @param {ExerciseState} exercise */
  solution(exercise) {
    const title = t("A solution");
    return html`<div class="exercise-solution" tabindex="-1" role="group" aria-label=${title}>
      <p class="solution-title">${title}</p>
      <code-listing class="cell-code" .text=${exercise.solution.value} .beside=${exercise.cell.text.value} label=${title}></code-listing>
    </div>`;
  }
}

customElements.define("exercise-help", ExerciseHelp);
