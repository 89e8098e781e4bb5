/** The learner's standing in an exercise, as an icon and words. */

import { html, nothing } from "lit";

import { t } from "../../lib/words.js";
import { icon } from "../page/icons.js";
import { ExerciseElement } from "../page/page-element.js";

class ExerciseStanding extends ExerciseElement {
  /** @override */
  render() {
    const standing = this.exercise?.standing.value;
    if (!standing) return nothing;
    const words = { new: t("not started"), tried: t("tried"), passed: t("passed"), shown: t("passed after seeing the solution") }[standing];
    const done = standing === "passed" || standing === "shown";
    const submission = this.exercise?.judged.value?.submission;
    // hidden from view where the head of the cell says the same
    const told = submission && submission.passed === done && standing !== "shown" && this.closest(".exercise-head");
    return html`<span class="standing-mark ${standing} ${told ? "unseen" : ""}">${done ? icon("pass") : nothing}${words}</span>`;
  }
}

customElements.define("exercise-standing", ExerciseStanding);
