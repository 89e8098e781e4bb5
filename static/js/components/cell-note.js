/** What stands between a kept edit and another text of the same cell, with both offered. */

import { html, nothing } from "lit";

import { t } from "../lib/words.js";
import { PageElement } from "./page-element.js";

/** @typedef {import("../state/cell-state.js").CellState} CellState */

class CellNote extends PageElement {
  /** @override */
  static properties = { cell: { attribute: false } };

  constructor() {
    super();
    /** @type {CellState | null} */
    this.cell = null;
  }

  /** @override */
  render() {
    return html`<div role="status">${this.note()}</div>`;
  }

  note() {
    const { cell } = this;
    switch (cell?.conflict.value?.kind) {
      case "changed":
        return this.choice(t("The lesson’s code has changed since you edited this cell. Here is your version."), [
          [t("Keep mine"), () => cell.keepMine()],
          [t("Take the lesson’s"), () => cell.reset()],
        ]);
      case "elsewhere":
        return this.choice(t("This cell was edited in another tab."), [
          [t("Show that version"), () => cell.takeOther()],
          [t("Keep this one"), () => cell.keepMine()],
        ]);
      default:
        return nothing;
    }
  }

  /** @param {string} words @param {[string, () => void][]} answers */
  choice(words, answers) {
    const button = ([name, act] = /** @type {[string, () => void]} */ (["", () => {}])) => html`<button class="link" type="button" @click=${() => this.press(act)}>${name}</button>`;
    return html`<div class="cell-note"><p>${words}</p>${answers.map(button)}</div>`;
  }

  /** The note goes, and the keyboard to the cell's next button. @param {() => void} act */
  press(act) {
    act();
    /** @type {HTMLElement | null} */ (this.closest(".cell")?.querySelector("cell-tools .run"))?.focus();
  }
}

customElements.define("cell-note", CellNote);
