/** What a run of a cell showed: how it ended, the verdicts, what it printed, then each record in the order they were made. */

import { effect } from "@preact/signals-core";
import { html, nothing } from "lit";

import { t } from "../lib/words.js";
import { isBusy } from "../state/run-state.js";
import { icon } from "./icons.js";
import { PageElement } from "./page-element.js";
import { ready, verdict, verdicts, view } from "./records.js";
import "./run-error.js";
import "./run-status.js";

/**
 * @typedef {import("../state/cell-state.js").CellState} CellState
 * @typedef {import("../lib/types.js").RunRecord} RunRecord
 */

const POINTED_MS = 1600;

class RunResults extends PageElement {
  /** @override */
  static properties = { cell: { attribute: false } };

  constructor() {
    super();
    /** @type {CellState | null} */
    this.cell = null;
    /** @type {() => void} */
    this.end = () => {};
  }

  /** @override */
  firstUpdated() {
    this.addEventListener("go-to-line", (event) => {
      const { cell, line, column } = /** @type {CustomEvent} */ (event).detail;
      this.cell?.page.goTo(cell, line, column, this.cell);
    });
    this.end = effect(() => {
      const pointed = this.cell?.page.pointed.value;
      if (pointed && pointed.cell === this.cell) void this.updateComplete.then(() => this.point(pointed.index));
    });
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    this.end();
  }

  /** Brings a record into sight, marks it for a moment, and takes the keyboard to its heading. @param {number} index */
  point(index) {
    const panel = this.querySelectorAll(".records > * > .panel, .records > details")[index];
    if (!panel) return;
    if (panel instanceof HTMLDetailsElement) panel.open = true;
    panel.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    panel.querySelector("h3")?.focus({ preventScroll: true });
    panel.classList.add("pointed");
    setTimeout(() => panel.classList.remove("pointed"), POINTED_MS);
  }

  /** @override */
  render() {
    const { cell } = this;
    if (!cell?.filled.value || !ready.value) return nothing;
    const { records, result } = cell.results.value;
    this.toggleAttribute("chosen", cell.page.column.value === cell);
    return html`<section class="${cell.stale.value ? "stale" : ""} ${cell.old.value ? "old" : ""}" aria-label=${this.heading(cell)} aria-busy=${isBusy(cell.run.value)}>
      <div class="results-head"><h2>${this.heading(cell)}</h2></div>
      <div class="results-outcome"><run-status .cell=${cell}></run-status></div>
      ${cell.old.value || isSaid(records, result) ? nothing : html`<div class="results-error"><run-error .cell=${cell}></run-error></div>`}
      ${this.verdicts(cell)}
      <div class="results-output"><run-output .state=${cell.printed.value} label=${t("Printed, beside the text")}></run-output></div>
      <div class="records">${this.records(records)}</div>
      ${result && !records.length && result.outcome === "finished" ? html`<p class="quiet-note">${result.stdout || result.stderr ? nothing : t("It ran and printed nothing.")}</p>` : nothing}
    </section>`;
  }

  /** @param {CellState} cell */
  heading({ exercise, facts: { number, filename } }) {
    if (exercise) return t("Results of {filename}", { filename });
    return number ? t("Results of cell {number}, {filename}", { number, filename }) : t("Results");
  }

  /** A check that passed takes one line where another failed. @param {RunRecord[]} records */
  records(records) {
    const failed = verdicts(records).some((one) => !one.passed);
    return records.map((record) => {
      const judged = verdict(record);
      return failed && judged?.passed ? html`<details class="panel passing"><summary>${icon("pass")}${judged.words}</summary>${view(record)}</details>` : view(record);
    });
  }

  /** @param {CellState} cell */
  verdicts(cell) {
    const { records, pieces, result } = cell.results.value;
    const checks = verdicts(records);
    const before = cell.old.value && (pieces.length > 0 || result?.outcome === "finished");
    if (!checks.length && !before) return nothing;
    return html`<ul class="verdicts">
      ${before ? html`<li class="verdict now">${t("From the run before")}</li>` : nothing}
      ${checks.map((check) => html`<li class="verdict ${check.passed ? "ok" : "no"}">${icon(check.passed ? "pass" : "fail")}${check.words}</li>`)}
    </ul>`;
  }
}

/** Whether the error is that of a check, which says itself what it found. @param {RunRecord[]} records @param {import("../lib/types.js").RunResult | null} result */
function isSaid(records, result) {
  return result?.error?.type === "GradcheckError" && verdicts(records).some((one) => !one.passed);
}

customElements.define("run-results", RunResults);
