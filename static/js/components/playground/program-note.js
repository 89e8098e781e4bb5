/** Messages about the open program and the latest action. Screen readers announce them as they appear. */

import { html, nothing } from "lit";

import { runtimeName } from "../../lib/run/runtimes.js";
import { t } from "../../lib/words.js";

/**
 * @typedef {import("../../state/programs/programs.js").Programs} Programs
 * @typedef {import("../../state/programs/programs.js").Saying} Saying
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
  if (programs.offered.held.value) notes.push(offer(programs, program.origin, cell.changed.value));
  if (!programs.runtimes.includes(program.runtime))
    notes.push({ words: t("This program is for {runtime}, which is not installed here.", { runtime: runtimeName(program.runtime) }) });
  if (program.deleted)
    notes.push({
      words: t("This program was deleted in another tab."),
      act: { name: t("Keep it"), do: () => programs.deleted.bringBack(program.id) },
    });
  return notes;
}

/**
 * A message that the open program is not stored, and how to store it.
 * @param {Programs} programs
 * @param {import("../../state/programs/program-list.js").Origin} origin
 * @param {boolean} changed
 * @returns {Saying}
 */
function offer(programs, origin, changed) {
  const whence =
    origin === "lesson"
      ? t("A copy of the lesson’s program; the lesson stays as it is.")
      : t("A shared program; read it before you run it.");
  const head = changed ? t("Your changes are not kept.") : whence;
  const way = programs.full.value
    ? programs.lackOfRoom()
    : { words: t("It is kept in this browser once you edit it."), act: { name: t("Keep it now"), do: () => programs.offered.keep() } };
  return { ...way, words: t("{head} {rest}", { head, rest: way.words }) };
}

/** @param {Saying} note */
function note({ words, link, act }) {
  const select = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.currentTarget).select();
  return html`<div class="program-note"><p>${words}</p>
    ${link ? html`<input class="select" readonly aria-label=${words} .value=${link} @focus=${select} />` : nothing}
    ${act ? html`<button class="link" type="button" @click=${() => press(act.do)}>${act.name}</button>` : nothing}
  </div>`;
}

/** Runs an action. Since the note disappears, the focus moves to the program's name. @param {() => void} act */
function press(act) {
  act();
  /** @type {HTMLElement | null} */ (document.querySelector("program-chooser button"))?.focus();
}
