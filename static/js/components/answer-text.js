/**
 * Text that says what a cell shows: folded until the prediction about that cell was made or the cell was run, or the reader asks for it. Without
 * scripts, on paper, and where the reader has chosen so, it stands as any other.
 */

import { html, nothing, render } from "lit";
import { effect, signal } from "@preact/signals-core";

import { t } from "../lib/words.js";

/** @typedef {import("../state/cell-state.js").CellState} CellState */
/** @typedef {import("../state/prediction-state.js").PredictionState} PredictionState */

/** @param {HTMLElement} element as the server wrote it @param {CellState} cell @param {PredictionState | null} prediction @param {import("../state/settings.js").Settings} settings */
export function openAnswer(element, cell, prediction, settings) {
  const asked = signal(false);
  const place = document.createElement("p");
  place.className = "answer-fold";
  element.before(place);
  effect(() => {
    const told = asked.value || settings.showsAnswers.value || prediction?.told.value || cell.results.value.result !== null;
    element.toggleAttribute("folded", !told);
    element.setAttribute("ready", "");
    const open = () => {
      asked.value = true;
      element.tabIndex = -1;
      element.focus();
    };
    render(told ? nothing : html`<button class="link" type="button" @click=${open}>${t("What cell {number} shows: after your prediction, or now", { number: cell.facts.number })}</button>`, place);
  });
}
