/**
 * What is wrong with the program of a run, as one card: one finding is open, and the others can be shown as one line each. The card
 * replaces a box with the error.
 *
 * `reach`: how much of the doctor's findings is shown. How the run failed is always shown.
 */

import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { evidenceOf } from "../../lib/doctor/evidence.js";
import { sentenceOf, severityWords } from "../../lib/doctor/findings.js";
import { pageLanguage, t } from "../../lib/words.js";
import { icon } from "../page/icons.js";
import { CellElement } from "../page/page-element.js";
import { withCode } from "../results/panel.js";
import { changePart } from "./change-part.js";
import { showEvidence } from "./evidence-view.js";
import { failureParts, followsPart, frames, sentence, spanLink } from "./finding-parts.js";

/**
 * @typedef {import("../../lib/doctor/findings.js").Finding} Finding
 * @typedef {import("../../state/cell-state.js").CellState} CellState
 */

class RunFindings extends CellElement {
  /** @override */
  static properties = {
    cell: { attribute: false },
    findings: { attribute: false },
    reach: { attribute: false },
    opened: { state: true },
    previewed: { state: true },
  };

  constructor() {
    super();
    /** @type {Finding[]} */
    this.findings = [];
    /** @type {import("../../state/findings-state.js").Reach} */
    this.reach = "all";
    /** Whether the other findings are listed. */
    this.opened = false;
    /** The key of the finding whose change is previewed, or "". */
    this.previewed = "";
  }

  /** @override @param {import("lit").PropertyValues<this>} changed */
  willUpdate(changed) {
    if (changed.has("findings") && this.findings.length < 2) this.opened = false;
  }

  /** @override */
  render() {
    const { cell, opened } = this;
    const findings = this.reach === "kind" ? this.findings.filter(({ diagnosis }) => !diagnosis || diagnosis.title) : this.findings;
    const [first] = findings;
    if (!cell || !first) return nothing;
    const chosen = findings.find(({ key }) => key === cell.findings.wanted.value) ?? first;
    const shown = opened ? findings : [chosen];
    return html`<ol class="findings" aria-label=${t("What was found")}>
        ${repeat(
          shown,
          ({ key }) => key,
          (one) =>
            html`<li class="finding ${one === chosen ? "" : "closed"}" data-severity=${one.severity}>${one === chosen ? this.card(one, cell) : this.line(one, cell)}</li>`,
        )}
      </ol>
      ${
        findings.length > 1
          ? html`<button class="ghost more-findings" type="button" aria-expanded=${opened} @click=${() => (this.opened = !opened)}>
              ${opened ? t("Show only one") : t("{count} more", { count: findings.length - 1 })}${icon(opened ? "up" : "next")}
            </button>`
          : nothing
      }`;
  }

  /** A finding that is not open, as one line. @param {Finding} finding @param {CellState} cell */
  line(finding, cell) {
    return html`<button class="finding-line" type="button" aria-expanded="false" @click=${() => void this.choose(finding, cell)}>
        ${sign(finding)}<span class="sentence">${this.isNamed(finding) ? finding.diagnosis?.title : withCode(sentenceOf(finding))}</span>
      </button>
      ${this.isNamed(finding) ? nothing : html`<span class="where">${spanLink(finding.span, cell)}</span>`}`;
  }

  /** Whether only the kind of mistake is shown. @param {Finding} finding */
  isNamed({ diagnosis }) {
    return this.reach === "kind" && diagnosis !== null;
  }

  /** @param {Finding} finding @param {CellState} cell */
  async choose({ key }, cell) {
    cell.findings.wanted.value = key;
    this.previewed = "";
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector(".finding:not(.closed) .what"))?.focus({ preventScroll: true });
  }

  /** The open finding. @param {Finding} finding @param {CellState} cell */
  card(finding, cell) {
    const { diagnosis, result } = finding;
    if (this.isNamed(finding))
      return html`${sign(finding)}<div><p class="what" tabindex="-1">${diagnosis?.title}</p>${placePart(cell)}</div>`;
    const change = this.reach === "all" && !finding.sentence.includes(diagnosis?.change ?? "") ? diagnosis?.change : null;
    return html`${sign(finding)}
      <div>
        <p class="what" tabindex="-1">${sentence(finding)}</p>
        ${change ? html`<p class="change">${withCode(change)}</p>` : nothing}
        ${this.links(finding, cell)} ${this.acts(finding, cell)}
        ${result?.error ? failureParts(finding, result.error, cell) : nothing}
        ${finding.follows.length ? followsPart(finding.follows, cell) : nothing}
        ${result?.error ? frames(result.error.traceback, cell) : nothing}
      </div>`;
  }

  /**
   * Links to the line, to the page of the pitfall, and to the lesson. The last two open in new tabs, so that the results stay.
   * @param {Finding} finding
   * @param {CellState} cell
   */
  links({ span, diagnosis, result }, cell) {
    const other = result?.error ? cell.otherCell(result.error.cell) : null;
    const line = other === null || !result?.error || diagnosis ? spanLink(span, cell) : nothing;
    const about = diagnosis?.title
      ? html`<a target="_blank" href="/${pageLanguage()}/pitfalls/${diagnosis.code}">${t("About this")}</a>`
      : nothing;
    const lesson = diagnosis?.lesson
      ? html`<a target="_blank" href="/${pageLanguage()}/${diagnosis.lesson}">${t("Read more in the lesson")}</a>`
      : nothing;
    const all = [line, about, lesson].filter((one) => one !== nothing);
    return all.length ? html`<p class="finding-links">${all.map((one) => html`<span>${one}</span>`)}</p>` : nothing;
  }

  /** What the reader can do about a finding. @param {Finding} finding @param {CellState} cell */
  acts(finding, cell) {
    const { diagnosis } = finding;
    if (!diagnosis) return nothing;
    const evidence = evidenceOf(diagnosis, cell.results.value.records, cell.trace.records.value);
    const show = evidence
      ? html`<button class="button quiet small" type="button" @click=${() => void showEvidence(evidence, this.closest("run-results"))}>${t("Show me where")}</button>`
      : nothing;
    const change =
      this.reach === "all"
        ? changePart(this, finding, cell, {
            isOpen: this.previewed === finding.key,
            open: (isOpen) => (this.previewed = isOpen ? finding.key : ""),
          })
        : null;
    if (!evidence && !change) return nothing;
    return html`${change?.preview ?? nothing}
      <div class="finding-acts">${change?.buttons ?? nothing}${show}</div>`;
  }
}

/** In an exercise: a button that shows where a mistake is. It appears when all hints have been read. @param {CellState} cell */
function placePart({ ofExercise: { value: exercise } }) {
  if (!exercise) return nothing;
  if (exercise.hints.value < exercise.facts.hints) return html`<p class="change">${t("After the last hint you can see where it is.")}</p>`;
  return html`<div class="finding-acts">
    <button class="button quiet small" type="button" @click=${() => (exercise.located.value = true)}>${t("Show where it is")}</button>
  </div>`;
}

/** @param {Finding} finding */
function sign({ severity }) {
  return html`<span class="sign">${icon(severity === "hint" ? "bulb" : "alert")}<span class="unseen">${severityWords(severity)}: </span></span>`;
}

customElements.define("run-findings", RunFindings);
