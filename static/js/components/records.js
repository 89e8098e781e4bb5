/**
 * What the page knows of each kind of record: the view that shows it, and the name that it has in the list under its cell.
 * A kind that stands in no line of the table is shown as unknown, never as something else.
 */

import { html } from "lit";

import { checkWords } from "../lib/run-words.js";
import { t } from "../lib/words.js";
import { faultName } from "./fault-view.js";

/**
 * @typedef {import("../lib/types.js").RunRecord} RunRecord
 * @typedef {{passed: boolean, words: string}} Verdict
 */

/**
 * `verdict`: what stands above all results, of a record that passes or fails; null of one that does neither.
 * @template Shown
 * @typedef {object} RecordKind
 * @property {(record: Shown) => import("lit").TemplateResult} view
 * @property {(record: Shown) => string} name
 * @property {(record: Shown) => Verdict | null} [verdict]
 */

/** @type {{[Kind in RunRecord["kind"]]: RecordKind<Extract<RunRecord, {kind: Kind}>>}} */
const KINDS = {
  graph: { view: (record) => html`<graph-view .record=${record}></graph-view>`, name: () => t("Graph") },
  gradcheck: { view: (record) => html`<jacobian-view .record=${record}></jacobian-view>`, name: checkWords, verdict: (check) => (check.passed === null ? null : { passed: check.passed, words: checkWords(check) }) },
  value: { view: (record) => html`<value-view .record=${record}></value-view>`, name: () => t("Value") },
  figure: { view: (record) => html`<figure-view .record=${record}></figure-view>`, name: () => t("Figure") },
  fault: { view: (record) => html`<fault-view .record=${record}></fault-view>`, name: faultName },
};

/** The views come with the first run, or with what is kept of one, not with the page. */
export function loadViews() {
  return import("./views.js");
}

/** @type {RecordKind<RunRecord>} */
const UNKNOWN = { view: (record) => html`<unknown-view .record=${record}></unknown-view>`, name: (record) => record.kind };

/** @param {RunRecord} record @returns {RecordKind<RunRecord>} */
function kindOf(record) {
  return Object.hasOwn(KINDS, record.kind) ? /** @type {RecordKind<any>} */ (KINDS[record.kind]) : UNKNOWN;
}

/** @param {RunRecord} record */
export function view(record) {
  void loadViews();
  return kindOf(record).view(record);
}

/** What a record is called in the list under its cell. @param {RunRecord} record */
export function name(record) {
  return kindOf(record).name(record);
}

/** Whether it passes or fails, or null. @param {RunRecord} record */
export function verdict(record) {
  return kindOf(record).verdict?.(record) ?? null;
}

/** Of the records that pass or fail. @param {RunRecord[]} records @returns {Verdict[]} */
export function verdicts(records) {
  return records.flatMap((record) => verdict(record) ?? []);
}

/** What screen readers announce: each verdict, then the names of all else, each once. @param {RunRecord[]} records */
export function announced(records) {
  const others = records.filter((record) => !verdict(record));
  return [...verdicts(records).map(({ words }) => words), ...new Set(others.map(name))];
}
