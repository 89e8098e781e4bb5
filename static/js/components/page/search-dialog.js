/** The search dialog: a field, and the results as one types, after the ARIA pattern of a combobox with a listbox. */

import { effect } from "@preact/signals-core";
import { html, nothing, render } from "lit";

import { openPlace } from "../../lib/places.js";
import { search } from "../../lib/search-client.js";
import { t } from "../../lib/words.js";
import { SearchState } from "../../state/search-state.js";
import { icon } from "./icons.js";
import { answerCount, answerWords, resultList } from "./search-answer.js";

/** @type {HTMLDialogElement | null} */
let dialog = null;
const state = new SearchState(search);

export function openSearch() {
  dialog ??= makeDialog();
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("input")?.select();
}

function makeDialog() {
  const self = document.createElement("dialog");
  self.className = "search";
  self.setAttribute("aria-label", t("Search"));
  self.addEventListener("click", ({ target }) => target === self && self.close()); // a press beside it
  document.body.append(self);
  effect(() => void render(content(self), self));
  window.addEventListener("online", () => state.answer.value?.ok === false && state.searchNow());
  return self;
}

/** @param {HTMLDialogElement} self */
function content(self) {
  const count = state.results.length;
  return html`<div class="search-field">
      ${icon("search")}
      <input
        type="text"
        role="combobox"
        aria-label=${t("Search, or paste an error")}
        aria-autocomplete="list"
        aria-controls="search-results"
        aria-expanded=${count > 0}
        aria-activedescendant=${count ? `search-result-${state.chosen.value}` : nothing}
        placeholder=${t("Search, or paste an error")}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        enterkeyhint="go"
        @input=${(/** @type {InputEvent} */ event) => event.isComposing || state.type(fieldOf(event).value)}
        @compositionend=${(/** @type {Event} */ event) => state.type(fieldOf(event).value)}
        @paste=${paste}
        @keydown=${(/** @type {KeyboardEvent} */ event) => press(event, self)}
      />
      <button class="ghost square" type="button" aria-label=${t("Close")} @click=${() => self.close()}>${icon("close")}</button>
    </div>
    ${resultList(state, (result, away) => openResult(result, away, self))}
    <p class="search-foot">
      <span role="status">${answerCount(state)}</span>
      ${count ? html`<a href=${pageOf(state.query.value)}>${t("All results")}</a>` : nothing}
    </p>
    ${answerWords(state)}`;
}

/** The page with all results. @param {string} query */
function pageOf(query) {
  return `/${document.documentElement.lang}/search?${new URLSearchParams({ q: query })}`;
}

/** @param {Event} event @returns {HTMLInputElement} */
function fieldOf(event) {
  return /** @type {HTMLInputElement} */ (event.currentTarget);
}

/** Writes several pasted lines into the field as one. A field of one line would lose where they end. @param {ClipboardEvent} event */
function paste(event) {
  const text = event.clipboardData?.getData("text/plain").trim() ?? "";
  if (!text.includes("\n")) return;
  event.preventDefault();
  const field = fieldOf(event);
  const from = field.selectionStart ?? 0;
  const end = field.selectionEnd ?? 0;
  const whole = field.value.slice(0, from) + text + field.value.slice(end);
  field.setRangeText(text.replace(/\s*\n\s*/g, " "), from, end, "end");
  field.scrollLeft = field.scrollWidth; // the message is at the end
  state.paste(field.value, whole);
}

/** @param {KeyboardEvent} event @param {HTMLDialogElement} self */
function press(event, self) {
  if (event.isComposing) return;
  const away = event.ctrlKey || event.metaKey;
  if (event.key === "Enter") void openChosen(away, self);
  else if (away || event.shiftKey || event.altKey || !state.move(event.key)) return;
  event.preventDefault();
  self.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
}

/** @param {boolean} away @param {HTMLDialogElement} self */
async function openChosen(away, self) {
  const result = await state.settle();
  if (result && self.open) openResult(result, away, self);
}

/** @param {import("../../lib/search-client.js").SearchResult} result @param {boolean} away in a new tab @param {HTMLDialogElement} self */
function openResult({ url }, away, self) {
  if (away) return void window.open(url, "_blank", "noopener");
  self.close();
  openPlace(url);
}
