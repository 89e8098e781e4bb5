/** Answers in the search dialog as one types, after the ARIA pattern of a combobox with a listbox. It is loaded when that is first opened. */

import { effect } from "@preact/signals-core";
import { render } from "lit";

import { openPlace } from "../../lib/places.js";
import { search } from "../../lib/search-client.js";
import { SearchState } from "../../state/search-state.js";
import { searchAnswer } from "./search-answer.js";

/** @typedef {import("../../lib/search-client.js").SearchResult} SearchResult */

/** The key code by which Safari says that Enter ended a composition, after the composition has ended. */
const COMPOSING = 229;

let started = false;

/**
 * Begins to answer what is typed, and what has been typed already. Later calls do nothing.
 * @param {HTMLDialogElement} dialog that of the page
 */
export function answerIn(dialog) {
  if (started) return;
  started = true;
  const state = new SearchState(search);
  const field = /** @type {HTMLInputElement} */ (dialog.querySelector("input"));
  const place = /** @type {HTMLElement} */ (dialog.querySelector(".search-answer"));
  const choose = (/** @type {SearchResult} */ result, away = false) => openResult(result, away, dialog);
  const goOn = async (/** @type {boolean} */ away) => {
    const result = await state.settle();
    if (result && dialog.open) choose(result, away);
  };
  field.addEventListener("input", (event) => /** @type {InputEvent} */ (event).isComposing || state.type(field.value));
  field.addEventListener("compositionend", () => state.type(field.value));
  field.addEventListener("keydown", (event) => press(event, state, goOn));
  window.addEventListener("online", () => state.answer.value?.ok === false && state.searchNow());
  effect(() => void render(searchAnswer(state, choose), place));
  effect(() => tellChosen(field, state));
  effect(() => void (state.answer.value && place.firstElementChild?.scrollTo(0, 0)));
  state.type(field.value);
}

/** Tells screen readers which result is chosen, and scrolls to it. @param {HTMLInputElement} field @param {SearchState} state */
function tellChosen(field, state) {
  const id = `search-result-${state.chosen.value}`;
  const found = state.results.length > 0;
  field.setAttribute("aria-expanded", String(found));
  if (found) field.setAttribute("aria-activedescendant", id);
  else field.removeAttribute("aria-activedescendant");
  if (state.walking) document.getElementById(id)?.scrollIntoView({ block: "nearest" });
}

/** @param {KeyboardEvent} event @param {SearchState} state @param {(away: boolean) => void} goOn */
function press(event, state, goOn) {
  if (event.isComposing || event.keyCode === COMPOSING) return;
  const away = event.ctrlKey || event.metaKey;
  if (event.key === "Enter") goOn(away);
  else if (away || event.shiftKey || event.altKey || !state.move(event.key)) return;
  event.preventDefault();
}

/** @param {SearchResult} result @param {boolean} away in a new tab @param {HTMLDialogElement} dialog */
function openResult({ url }, away, dialog) {
  if (away) return void window.open(url, "_blank", "noopener");
  dialog.close();
  openPlace(url);
}
