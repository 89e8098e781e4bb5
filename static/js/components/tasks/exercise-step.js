/**
 * The link of a step to the exercise before it: puts that exercise's program, or its shown solution, before the starter of this one. This
 * is an ordinary edit. It is made only while this step is unedited, so that nothing is overwritten, and a reset undoes it.
 */

import "../page/page-base.js";
import { effect, untracked } from "@preact/signals-core";
import { html, nothing } from "lit";

import { t } from "../../lib/words.js";
import { ExerciseElement } from "../page/page-element.js";

/** @typedef {import("../../state/tasks/exercise-state.js").ExerciseState} ExerciseState */

/** The text with which a step begins. app/lessons/model/exercise.py computes the same. @param {string} program @param {string} starter */
function goOn(program, starter) {
  return `${program.trimEnd()}\n\n\n${starter}`;
}

/**
 * Whether the learner has never edited this step. A step that was reset counts as edited.
 * @param {import("../../state/saving/draft-state.js").DraftState} draft
 */
function untouched({ changed, conflict, page, id }) {
  const entry = page.drafts.read(id);
  return !changed.value && conflict.value === null && (entry === null || (entry.undo === null && entry.version === 0));
}

class ExerciseStep extends ExerciseElement {
  /** @override */
  static properties = { earlier: { attribute: false } };

  constructor() {
    super();
    /** The exercise before this step. @type {ExerciseState | null} */
    this.earlier = null;
  }

  /** @override */
  firstUpdated() {
    const { exercise, earlier: before } = this;
    if (!exercise || !before) return;
    const follow = () => {
      if (before.cell.changed.value && untouched(exercise.cell))
        exercise.cell.edit(goOn(before.cell.text.value, exercise.cell.facts.starter));
    };
    effect(() => void (["passed", "shown"].includes(before.standing.value) && untracked(follow)));
  }

  /** @override */
  render() {
    const { exercise, earlier: before } = this;
    if (!exercise || !before) return nothing;
    const { changed, text, facts } = exercise.cell;
    const own = before.cell.text.value;
    const number = this.dataset["number"] ?? "";
    const taken = text.value === goOn(own, facts.starter);
    const waits = !changed.value && !before.cell.changed.value;
    const words = taken
      ? t("Your program from step {number} comes before what is new here.", { number })
      : waits
        ? t("Your program from step {number} will be put before what is new here.", { number })
        : "";
    return html`<span role="status">${words}</span>
      ${changed.value ? nothing : this.offers(exercise, before)}`;
  }

  /** @param {ExerciseState} exercise @param {ExerciseState} before */
  offers(exercise, before) {
    const button = (/** @type {string} */ words, /** @type {() => void} */ act) =>
      html`<button class="button quiet" type="button" @click=${act}>${words}</button>`;
    return [
      before.cell.changed.value ? button(t("Use my program"), () => this.take(exercise, before.cell.text.value)) : nothing,
      before.seen.value ? button(t("Use the solution"), () => void this.takeSolution(exercise, before)) : nothing,
    ];
  }

  /** Puts a program before the starter and moves the cursor to the starter. @param {ExerciseState} exercise @param {string} program */
  take({ cell }, program) {
    if (cell.changed.value) return;
    const { starter } = cell.facts;
    const text = goOn(program, starter);
    cell.edit(text);
    cell.page.goTo(cell.id, text.slice(0, -starter.length).split("\n").length, null);
  }

  /** @param {ExerciseState} exercise @param {ExerciseState} before */
  async takeSolution(exercise, before) {
    if (!before.solution.value) await before.reveal();
    if (before.solution.value) this.take(exercise, before.solution.value);
  }
}

customElements.define("exercise-step", ExerciseStep);
