/** The planned checks of an exercise until there is a submission; then its attempts. */

import "../page/page-base.js";
import { html, nothing } from "lit";

import { moment, t } from "../../lib/words.js";
import { ExerciseElement } from "../page/page-element.js";

/** @typedef {import("../../state/tasks/exercise-state.js").ExerciseState} ExerciseState */

class ExerciseAttempts extends ExerciseElement {
  constructor() {
    super();
    /** The list of planned checks in the server's HTML. @type {Element | null} */
    this.planned = null;
  }

  /** @override */
  willUpdate() {
    if (!this.exercise || this.planned) return;
    this.planned = this.querySelector(":scope > .planned-checks");
    this.planned?.remove();
  }

  /** @override */
  render() {
    const { exercise } = this;
    if (!exercise) return nothing;
    return exercise.judged.value ? this.attempts(exercise, 2) : [this.planned, this.attempts(exercise, 1)];
  }

  /** @param {ExerciseState} exercise @param {number} least the fewest attempts for which there is a list */
  attempts(exercise, least) {
    const attempts = exercise.attempts.value;
    if (attempts.length < least) return nothing;
    const count = Math.max(attempts.length, exercise.count.value);
    return html`<details class="own-attempts">
      <summary>${t("Your attempts ({count})", { count })}</summary>
      <ol reversed start=${count}>
        ${[...attempts].reverse().map(
          ({ at, passed, good, total, receipt }) =>
            html`<li>
                <span>${moment(at)}</span> ${passed ? t("passed") : t("{good} of {total} checks pass.", { good, total })}
                ${receipt ? html`<small>${receipt}</small>` : nothing}
              </li>`,
        )}
      </ol>
    </details>`;
  }
}

customElements.define("exercise-attempts", ExerciseAttempts);
