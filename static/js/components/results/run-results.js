/**
 * The results of one cell, shown beside the text: what is wrong, the checks of a submission, the records in the order in which they were
 * made, and the properties that the probes confirmed.
 */

import { effect } from "@preact/signals-core";
import { html, nothing } from "lit";

import { t } from "../../lib/words.js";
import { isBusy } from "../../state/run-state.js";
import { icon } from "../page/icons.js";
import { CellElement } from "../page/page-element.js";
import { pointAt } from "./panel.js";
import { drawable, name, ready, verdict, verdicts, view } from "./records.js";

/**
 * @typedef {import("../../state/cell-state.js").CellState} CellState
 * @typedef {import("../../state/page-state.js").Part} Part
 * @typedef {import("../../lib/types.js").RunRecord} RunRecord
 */

class RunResults extends CellElement {
  constructor() {
    super();
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
      if (pointed && pointed.cell === this.cell) void this.updateComplete.then(() => this.point(pointed.part));
    });
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    this.end();
  }

  /** Scrolls to a part, opens it, highlights it for a moment and focuses its heading. @param {Part | null} part */
  point(part) {
    const found = this.find(part);
    if (found instanceof HTMLElement) pointAt(found);
  }

  /** @param {Part | null} part */
  find(part) {
    if (part === null) return this.querySelector("section");
    if (part === "error") return this.querySelector(".finding");
    if (typeof part === "number") {
      const record = this.cell?.results.value.records[part];
      if (record?.kind === "diagnosis") return this.querySelector(".finding");
      return (
        this.querySelectorAll(".result-records > .panel, .result-records > * > .panel")[
          record ? shownOf(this.cell).indexOf(record) : part
        ] ?? null
      );
    }
    return (
      [...this.querySelectorAll("[data-check]")].find((item) => item instanceof HTMLElement && item.dataset["check"] === part.check) ??
      this.querySelector("submission-checks")
    );
  }

  /** @override */
  render() {
    const { cell } = this;
    if (!cell?.beside.value || !ready.value) return nothing;
    const isDemonstration = this.hasAttribute("data-verdicts");
    if (isDemonstration && !drawable.value) return nothing; // a saved result stands here until this one can be drawn
    const { records } = cell.results.value;
    const { exercise } = cell;
    const checks = exercise ? html`<submission-checks .exercise=${exercise}></submission-checks>` : nothing;
    this.toggleAttribute("chosen", cell.page.column.value === cell);
    return html`<section
      class="${cell.stale.value ? "results-stale" : ""} ${cell.old.value ? "results-old" : ""}"
      aria-label=${heading(cell)}
      aria-busy=${isBusy(cell.run.value)}
    >
      <div class="results-head">
        ${this.chooser(cell)}${cell.old.value && records.length ? html`<span class="results-before">${t("From the run before")}</span>` : nothing}
      </div>
      ${isDemonstration ? outcomes(cell.results.value.records) : nothing}
      <run-findings .cell=${cell} .findings=${cell.findings.all.value} .reach=${cell.findings.reach}></run-findings> ${cell.graded.value ? checks : nothing}
      <div class="result-records">
        ${this.records([...shownOf(cell), ...cell.trace.graphs.value, ...(cell.trace.call.value ? [cell.trace.call.value] : [])], cell)}
      </div>
      <probes-held .cell=${cell}></probes-held>
      ${
        cell.graded.value || !exercise?.judged.value
          ? nothing
          : html`<details class="results-earlier">
              <summary>${t("The latest submission")}</summary>
              ${checks}
            </details>`
      }
    </section>`;
  }

  /** The name of the cell whose results these are, or a choice if several cells have results. @param {CellState} cell */
  chooser(cell) {
    const { page } = cell;
    const all = page.filled.value;
    const choose = (/** @type {Event} */ event) => {
      const select = /** @type {HTMLSelectElement} */ (event.target);
      page.wanted.value = page.find(select.value);
      select.value = cell.id; // each cell's results have their own choice, which names that cell
    };
    return html`<h2>${heading(cell)}</h2>
      ${
        all.length < 2
          ? nothing
          : html`<select class="which-select" aria-label=${t("Whose results stand here")} @change=${choose}>
              ${all.map((one) => html`<option value=${one.id} ?selected=${one === cell}>${heading(one)}</option>`)}
            </select>`
      }`;
  }

  /**
   * The records. If a check failed, the checks that passed are folded to one line. The graphs of backward passes that the program did not
   * draw are folded, too.
   * @param {RunRecord[]} records
   * @param {CellState} cell
   */
  records(records, cell) {
    const failed = verdicts(records).some((one) => !one.passed);
    return records.map((record) =>
      (failed && verdict(record)?.passed) || record.kind === "traced_graph" || record.kind === "saved"
        ? html`<details class="panel one-line ${verdict(record) ? "panel-passing" : ""}" @toggle=${updateView}>
            <summary>${verdict(record) ? icon("pass") : nothing}${name(record)}${numbered(record, cell)}</summary>
            ${view(record, cell)}
          </details>`
        : view(record, cell),
    );
  }
}

/** The verdicts in a list, so that the outcome is seen above what is tall. @param {RunRecord[]} records */
function outcomes(records) {
  const all = verdicts(records);
  if (!all.length) return nothing;
  return html`<ul class="shown-checks">
    ${all.map(({ passed, words }) => html`<li class=${passed ? "passed" : "failed"}>${icon(passed ? "pass" : "fail")}<b>${words}</b></li>`)}
  </ul>`;
}

/** Lets a graph light its span in the editor only while it can be seen. @param {Event} event */
function updateView({ target }) {
  const graph = /** @type {import("lit").LitElement | null} */ (/** @type {Element} */ (target).querySelector("graph-view"));
  graph?.requestUpdate();
}

/**
 * The records that have a panel. The doctor's findings are shown in the card, and in the line on the probes.
 * @param {CellState | null} cell
 */
function shownOf(cell) {
  return (cell?.results.value.records ?? []).filter(({ kind }) => kind !== "diagnosis" && kind !== "examined");
}

/** The number of the backward pass that a graph shows, if there are several. @param {RunRecord} record @param {CellState} cell */
function numbered({ id }, cell) {
  const replays = cell.trace.records.value.flatMap((one) => (one.kind === "replay" && one.graph === id ? [one] : []));
  const [{ number = 1, of = 1 } = {}] = replays;
  return replays.length === 1 && of > 1 ? ` ${t("({number} of {count})", { number, count: of })}` : nothing;
}

/** @param {CellState} cell */
function heading({ facts: { number, filename, exercise } }) {
  if (exercise) return t("Results of {filename}", { filename });
  return number ? t("Results of cell {number}, {filename}", { number, filename }) : t("Results");
}

customElements.define("run-results", RunResults);
