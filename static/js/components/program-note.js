/** What there is to say of the program that is open, and of the latest press; said aloud as it appears. */

import { html, nothing } from "lit";

import { runtimeName } from "../lib/runtimes.js";
import { t } from "../lib/words.js";

/**
 * @typedef {import("../state/programs.js").Programs} Programs
 * @typedef {import("../state/programs.js").Saying} Saying
 */

/** @param {Programs} programs */
export function programNotes(programs) {
  return html`<div role="status">${notes(programs).map(note)}</div>`;
}

/** @param {Programs} programs @returns {Saying[]} */
function notes(programs) {
  const program = programs.program.value;
  const cell = programs.cell.value;
  const notes = programs.said.value ? [programs.said.value] : [];
  if (!program || !cell) return notes;
  const ran = cell.filled.value || cell.busy.value;
  if (program.origin === "link" && !ran) notes.push({ words: t("Opened from a link. Nothing of it has run: read it before you run it.") });
  if (program.origin === "lesson" && !ran) notes.push({ words: t("Opened from a lesson, with the cells that it continues. What you change here leaves the lesson as it is.") });
  if (!programs.runtimes.includes(program.runtime)) notes.push({ words: t("This program is for {runtime}, which is not installed here.", { runtime: runtimeName(program.runtime) }) });
  if (program.deleted) notes.push({ words: t("This program was deleted in another tab."), act: { name: t("Keep it"), do: () => programs.bringBack(program.id) } });
  return notes;
}

/** @param {Saying} note */
function note({ words, link, act }) {
  const select = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.currentTarget).select();
  return html`<div class="program-note"><p>${words}</p>
    ${link ? html`<input class="select" readonly aria-label=${words} .value=${link} @focus=${select} />` : nothing}
    ${act ? html`<button class="link" type="button" @click=${() => press(act.do)}>${act.name}</button>` : nothing}
  </div>`;
}

/** The note goes, and the keyboard to the program's name. @param {() => void} act */
function press(act) {
  act();
  /** @type {HTMLElement | null} */ (document.querySelector("program-chooser button"))?.focus();
}
