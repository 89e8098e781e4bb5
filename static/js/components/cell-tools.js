/** The buttons of a cell. Where a press takes its button away, the keyboard goes on to what took its place. */

import { html, nothing } from "lit";

import { t } from "../lib/words.js";
import { icon } from "./icons.js";
import { PageElement } from "./page-element.js";
import "./playground-link.js";
import { copyAndTell } from "./copy-download.js";

/** @typedef {import("../state/cell-state.js").CellState} CellState */

const MODIFIER = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

class CellTools extends PageElement {
  /** @override */
  static properties = { cell: { attribute: false }, copied: { state: true } };

  constructor() {
    super();
    /** @type {CellState | null} */
    this.cell = null;
    this.copied = false;
  }

  /** @override */
  render() {
    const { cell } = this;
    if (!cell) return nothing;
    const { exercise } = cell;
    const grading = exercise?.shownBusy.value ?? false;
    const busy = cell.busy.value;
    const undoable = cell.undoable.value !== null;
    const lessons = cell.facts.number || cell.facts.exercise; // programs of the playground have a history of their own
    return html`${cell.facts.number ? html`<playground-link .cell=${cell}></playground-link>` : nothing}
      <button class="ghost square" type="button" aria-label=${t("Copy the code")} title=${t("Copy the code")} @click=${() => void copyAndTell(this, cell.text.value)}>${icon(this.copied ? "pass" : "copy")}</button>
      ${lessons ? html`<button class="ghost square" type="button" aria-label=${t("History")} title=${t("History")} @click=${() => void this.lookBack(cell)}>${icon("history")}</button>` : nothing}
      ${cell.changed.value ? html`<button class="ghost undo" type="button" @click=${this.press(() => cell.reset())}>${t("Reset")}</button>` : nothing}
      ${undoable ? html`<button class="ghost undo" type="button" @click=${this.press(() => cell.undoReset())}>${cell.changed.value ? t("Undo restoring") : t("Undo reset")}</button>` : nothing}
      <button class="run ${busy && !grading ? "stop" : ""} ${exercise ? "quiet" : ""}" type="button" ?disabled=${grading} aria-keyshortcuts=${busy ? "Control+. Meta+." : "Shift+Enter"} @click=${() => void (busy ? cell.stop() : cell.page.run(cell))}>
        ${busy && !grading ? t("Stop") : html`${t("Run")}<kbd aria-hidden="true">⇧ ↵</kbd>`}
      </button>
      ${exercise ? this.submit(exercise, busy && !grading) : nothing}`;
  }

  /** @param {import("../state/exercise-state.js").ExerciseState} exercise @param {boolean} off */
  submit(exercise, off) {
    const grading = exercise.shownBusy.value;
    return html`<button class="run submit ${grading ? "stop" : ""}" type="button" ?disabled=${off} aria-keyshortcuts=${grading ? "Control+. Meta+." : "Control+Enter Meta+Enter"} @click=${() => void (grading ? exercise.cell.stop() : exercise.submit())}>
      ${grading ? t("Stop") : html`${t("Submit")}<kbd aria-hidden="true">${MODIFIER} ↵</kbd>`}
    </button>`;
  }

  /** @param {() => void} act */
  press(act) {
    return async () => {
      const held = this.contains(document.activeElement);
      act();
      await this.updateComplete;
      if (held && !this.contains(document.activeElement)) /** @type {HTMLElement | null} */ (this.querySelector(".undo, .run"))?.focus();
    };
  }

  /** @param {CellState} cell */
  async lookBack(cell) {
    const { openCellHistory } = await import("./cell-history.js");
    await openCellHistory(cell);
  }
}

customElements.define("cell-tools", CellTools);
