/**
 * A cell: a head with its name, its run's status and its buttons; its editor; and the output below. It replaces the static listing that the
 * server rendered.
 */

import "../page/page-base.js";
import { html, nothing } from "lit";

import { t } from "../../lib/words.js";
import { CellElement } from "../page/page-element.js";
import { cellNote } from "./cell-note.js";
import "./cell-tools.js";
import "./code-editor.js";
import { hindrance } from "./run-hindrance.js";
import "./run-status.js";

/** @typedef {import("../../state/cell-state.js").CellState} CellState */

class CodeCell extends CellElement {
  /** @override */
  static properties = { mode: { state: true } };

  constructor() {
    super();
    /** @type {import("../../editor/editor.js").Mode} */
    this.mode = "resting";
  }

  /** @override @param {import("lit").PropertyValues<this>} changed */
  willUpdate(changed) {
    if (changed.has("cell")) this.querySelector(":scope > .cell")?.remove();
  }

  /** @override */
  firstUpdated() {
    this.addEventListener("focusin", () => this.cell?.page.activate(this.cell));
    this.addEventListener("pointerdown", () => this.cell?.page.choose(this.cell));
    this.addEventListener("editor-mode", (event) => (this.mode = /** @type {CustomEvent} */ (event).detail));
  }

  /** @override */
  render() {
    const { cell } = this;
    if (!cell) return nothing;
    const { number, filename } = cell.facts;
    const active = cell.page.active.value === cell;
    const label = number ? t("Cell {number}: {filename}", { number, filename }) : filename;
    return html`<section class="cell ${active ? "active" : ""} ${this.mode}" id="cell-${cell.id}" aria-label=${label}>
      <div class="cell-body">
        <header class="cell-head">
          <span class="cell-name"
            >${number ? html`<span class="cell-number">${number}</span>` : nothing}<span class="cell-file">${filename}</span
            >${this.continues()}${
              cell.saved.value.kind === "saved" ? html`<span class="cell-after cell-kept">${t("Saved")}</span>` : nothing
            }</span
          >
          <span class="cell-keys" id="keys-${cell.id}">${this.hint()}</span>
          <run-status .cell=${cell}></run-status>
          <cell-tools class="end" .cell=${cell}></cell-tools>
        </header>
        <code-editor class="cell-code" .cell=${cell}></code-editor>
      </div>
      <div class="cell-foot">
        ${cellNote(cell)}${hindrance(cell)}
        <run-output
          .state=${cell.shown.value}
          label=${t("Printed, {cell}", { cell: number ? cell.page.numberOf(cell.id) : filename })}
        ></run-output>
      </div>
    </section>`;
  }

  /** The words that name the cells that run before this one. */
  continues() {
    const numbers = this.cell?.facts.after.flatMap((id) => this.cell?.page.find(id)?.facts.number ?? []) ?? [];
    return numbers.length ? html`<span class="cell-after">${t("runs after {cells}", { cells: numbers.join(", ") })}</span>` : nothing;
  }

  hint() {
    if (this.mode === "writing") return t("Esc, then Tab leaves the editor");
    return this.mode === "walking" ? t("↑ ↓ from cell to cell; Enter edits") : t("Type to edit; Tab moves on");
  }
}

customElements.define("code-cell", CodeCell);
