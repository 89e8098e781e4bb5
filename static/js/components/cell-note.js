/** What stands between a kept text and another of the same cell, with both offered; and why the server does not have it yet. */

import { html, nothing } from "lit";

import { t } from "../lib/words.js";
import { PageElement } from "./page-element.js";

/** @typedef {import("../state/draft-state.js").DraftState} DraftState */

const UNREACHABLE = "unreachable";

class CellNote extends PageElement {
  /** @override */
  static properties = { cell: { attribute: false } };

  constructor() {
    super();
    /** @type {DraftState | null} */
    this.cell = null;
  }

  /** @override */
  render() {
    return html`<div role="status">${this.note()}</div>${this.held()}`;
  }

  /** Those who listen are told once, by the page. */
  held() {
    const { cell } = this;
    const saved = cell?.saved.value;
    if (!cell || saved?.kind !== "held") return nothing;
    const { drafts } = cell.page;
    const fleeting = drafts.memory.has(drafts.key(cell.id));
    if (!fleeting && saved.code === UNREACHABLE && isToldSo(cell)) return nothing;
    const head = fleeting ? t("Kept only until this page is closed.") : t("Kept in this browser.");
    return html`<div class="cell-note held"><p>${t("{head} {rest}", { head, rest: saved.message || t("The server is out of reach.") })}</p></div>`;
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
        return this.choice(cell.conflict.value.saved ? t("A different text was saved from another window or device.") : t("A different text was written in another tab."), [
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

/** Whether its run waits for the server, which run-hindrance.js says, with what can be done. @param {DraftState} draft */
function isToldSo(draft) {
  if (!("shown" in draft)) return false;
  const { phase, reason } = /** @type {import("../state/cell-state.js").CellState} */ (draft).shown.value;
  return phase === "waiting" && reason === UNREACHABLE;
}

customElements.define("cell-note", CellNote);
