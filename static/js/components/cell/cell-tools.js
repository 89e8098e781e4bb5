/** The buttons of a cell. When a press removes the pressed button, the keyboard moves to the button that replaced it. */

import { signal } from "@preact/signals-core";
import { html, nothing } from "lit";

import { SMALL } from "../../lib/breakpoints.js";
import { t } from "../../lib/words.js";
import { dropMenu } from "../page/drop-menu.js";
import { icon } from "../page/icons.js";
import { orMissing } from "../page/missing-part.js";
import { CellElement } from "../page/page-element.js";
import { playgroundAddress, playgroundLink } from "./playground-link.js";
import { copyAndTell } from "../results/copy-download.js";

/** @typedef {import("../../state/cell-state.js").CellState} CellState */

const MODIFIER = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

/** Tells whether the screen is so small that only one button fits beside Run and Submit. */
const query = matchMedia(SMALL);
const small = signal(query.matches);
query.addEventListener("change", () => (small.value = query.matches));

class CellTools extends CellElement {
  /** @override */
  static properties = { copied: { state: true } };

  constructor() {
    super();
    this.copied = false;
  }

  /** @override */
  render() {
    const { cell } = this;
    if (!cell) return nothing;
    const { exercise } = cell;
    const grading = exercise?.shownBusy.value ?? false;
    const busy = cell.busy.value;
    return html`${small.value || this.closest(".columns") ? this.menu(cell) : this.tools(cell)}
      <button
        class="run ${busy && !grading ? "stop" : ""} ${exercise ? "quiet" : ""}"
        type="button"
        ?disabled=${grading}
        aria-keyshortcuts=${busy ? "Control+. Meta+." : "Shift+Enter"}
        @click=${() => void (busy ? cell.stop() : cell.page.run(cell))}
      >
        ${busy && !grading ? t("Stop") : html`${t("Run")}<kbd aria-hidden="true">⇧ ↵</kbd>`}
      </button>
      ${exercise ? this.submit(exercise, busy && !grading) : nothing}`;
  }

  /** @param {CellState} cell */
  tools(cell) {
    return html`${cell.facts.number ? playgroundLink(cell) : nothing}
    ${this.others(cell).map(
      ({ words, sign, act }) =>
        html`<button class="ghost square" type="button" aria-label=${words} title=${words} @click=${act}>${icon(sign)}</button>`,
    )}
    ${this.ways(cell).map(({ words, act }) => html`<button class="ghost undo" type="button" @click=${this.press(act)}>${words}</button>`)}`;
  }

  /** The same buttons as one menu, for a narrow cell: on a phone, or in a row of columns. @param {CellState} cell */
  menu(cell) {
    const choices = [
      ...this.ways(cell),
      ...(cell.facts.number
        ? [{ words: t("Open in the playground"), act: async () => location.assign(await playgroundAddress(cell)) }]
        : []),
      ...this.others(cell),
    ];
    return dropMenu({ id: `tools-${cell.id}`, label: t("More"), kind: "square", face: icon(this.copied ? "pass" : "more") }, [{ choices }]);
  }

  /** The buttons that restore another text. @param {CellState} cell @returns {{words: string, act: () => void}[]} */
  ways(cell) {
    const changed = cell.changed.value;
    return [
      ...(changed ? [{ words: t("Reset"), act: () => cell.reset() }] : []),
      ...(cell.undoable.value === null ? [] : [{ words: changed ? t("Undo restoring") : t("Undo reset"), act: () => cell.undoReset() }]),
    ];
  }

  /**
   * The actions that only cells of a lesson have. A playground program opens its history from the program bar.
   * @param {CellState} cell
   * @returns {{words: string, sign: "copy" | "pass" | "history", act: () => void}[]}
   */
  others(cell) {
    const hasHistory = cell.page.ofLesson && (cell.facts.number > 0 || cell.facts.exercise);
    return [
      { words: t("Copy the code"), sign: this.copied ? "pass" : "copy", act: () => void copyAndTell(this, cell.text.value) },
      ...(hasHistory ? [{ words: t("History"), sign: /** @type {const} */ ("history"), act: () => void this.lookBack(cell) }] : []),
    ];
  }

  /** @param {import("../../state/tasks/exercise-state.js").ExerciseState} exercise @param {boolean} off */
  submit(exercise, off) {
    const grading = exercise.shownBusy.value;
    return html`<button
      class="run submit ${grading ? "stop" : ""}"
      type="button"
      ?disabled=${off}
      aria-keyshortcuts=${grading ? "Control+. Meta+." : "Control+Enter Meta+Enter"}
      @click=${() => void (grading ? exercise.cell.stop() : exercise.submit())}
    >
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
    const part = await orMissing(import("./cell-history.js"));
    await part?.openCellHistory(cell);
  }
}

customElements.define("cell-tools", CellTools);
