/**
 * Folds text that gives an answer away, until the reader has found the answer or opens the text. It is not folded without scripts, on
 * paper, or if the reader's settings say so.
 */

import { html, nothing, render } from "lit";
import { effect, signal } from "@preact/signals-core";

import { t } from "../../lib/words.js";

/**
 * Folds the text that says what a cell shows, until the prediction about it is answered or the cell has results.
 * @param {HTMLElement} element as the server wrote it
 * @param {import("../../state/cell-state.js").CellState} cell
 * @param {import("../../state/tasks/prediction-state.js").PredictionState | null} prediction
 */
export function openAnswer(element, cell, prediction) {
  const found = () => Boolean(prediction?.told.value) || cell.results.value.result !== null;
  fold(element, cell.page.settings, found, t("What cell {number} shows: after your prediction, or now", { number: cell.facts.number }));
}

/**
 * Folds the text that says what an edit changes, until the results of the edit are shown.
 * @param {HTMLElement} element as the server wrote it
 * @param {import("../../state/tasks/try-state.js").TryState} tried
 */
export function openOutcome(element, tried) {
  fold(element, tried.cell.page.settings, () => tried.seen.value, t("What comes of it: after the change, or now"));
}

/**
 * Folds an element until `found` is true or the reader opens it. It is never folded again.
 * @param {HTMLElement} element
 * @param {import("../../state/settings.js").Settings} settings
 * @param {() => boolean} found
 * @param {string} words
 */
function fold(element, settings, found, words) {
  const asked = signal(false);
  const place = document.createElement("p");
  place.className = "answer-fold";
  element.before(place);
  effect(() => {
    if (found()) asked.value = true;
    const told = asked.value || settings.showsAnswers.value;
    element.toggleAttribute("folded", !told);
    element.setAttribute("ready", "");
    const open = () => {
      asked.value = true;
      element.tabIndex = -1;
      element.focus();
    };
    render(told ? nothing : html`<button class="link" type="button" @click=${open}>${words}</button>`, place);
  });
}
