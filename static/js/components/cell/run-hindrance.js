/** The note under the code that says why a run or a submission cannot start or waits, with a button for what the learner can do. */

import { html, nothing } from "lit";

import { pieces, t } from "../../lib/words.js";

/** @param {import("../../state/cell-state.js").CellState} cell */
export function hindrance(cell) {
  const { phase, reason, message, recorded, result } = cell.shown.value;
  const grading = cell.exercise?.grading.value ?? { phase: "idle" };
  if (grading.phase === "lost")
    return note(
      t("The answer was lost on its way. Your code is kept; the same submission counts once."),
      t("Submit it again"),
      ".submit",
      () => void cell.exercise?.submit(),
    );
  if (grading.phase === "refused") return note(said(t("Not graded."), grading.message));
  switch (phase) {
    case "waiting": {
      const why = reason === "busy" ? message || t("The server is busy.") : t("The server is out of reach. Your code is kept.");
      return note(why, t("Try now"), "", () => cell.tryNow());
    }
    case "refused":
      return recorded
        ? note(said(t("Not run."), message), t("Show what was recorded"), ".run", () => void cell.page.run(cell, { spec: cell.given() }))
        : note(said(t("Not run."), message));
    case "lost":
      return note(
        t("The run was lost before it ended. Nothing you wrote is lost."),
        t("Run it again"),
        ".run",
        () => void cell.page.run(cell),
      );
    default:
      return result?.recorded ? note(result.recorded.remedy) : nothing;
  }
}

/**
 * Carries out the button's action. The note disappears, so the keyboard moves to the element that `next` selects.
 * @param {unknown} words
 * @param {string} [button]
 * @param {string} [next]
 * @param {() => void} [act]
 */
function note(words, button = "", next = "", act = () => {}) {
  const press = (/** @type {Event} */ { currentTarget }) => {
    if (next)
      /** @type {HTMLElement | null | undefined} */ (/** @type {Element} */ (currentTarget).closest(".cell")?.querySelector(next))?.focus();
    act();
  };
  return html`<div class="cell-note hindrance">
    <p>${words}</p>
    ${button ? html`<button class="link" type="button" @click=${press}>${button}</button>` : nothing}
  </div>`;
}

/** @param {string} head @param {string} rest */
function said(head, rest) {
  return pieces("{head} {rest}", { head: html`<strong>${head}</strong>`, rest });
}
