/**
 * The kinds of records, once the views are loaded: the view, the name and the verdict of each. A record of an unknown kind is shown as
 * unknown.
 */

import { computed, signal } from "@preact/signals-core";

import { severityWords } from "../../lib/doctor/findings.js";
import { name as unknownName, view as viewUnknown } from "./unknown-view.js";

/**
 * @typedef {import("../../lib/types.js").RunRecord} RunRecord
 * @typedef {{passed: boolean, words: string}} Verdict
 */

/**
 * `verdict`: the text in the cell's head about a record that passes or fails; null if it does neither.
 * @template Shown
 * @typedef {object} RecordKind  the exports of a view's module
 * @property {(record: Shown, cell: import("../../state/cell-state.js").CellState | null) => import("lit").TemplateResult} view
 * @property {(record: Shown) => string} name
 * @property {(record: Shown) => Verdict | null} [verdict]
 */

/** @typedef {{[Kind in RunRecord["kind"]]?: RecordKind<import("../../lib/types.js").RecordOf<Kind>>}} Kinds */

/** The known kinds: null until the views are loaded, empty if loading failed. */
const kinds = signal(/** @type {Kinds | null} */ (null));

/** Whether results can be shown, since the views are loaded or could not be. */
export const ready = computed(() => kinds.value !== null);

/** Whether the views are loaded, so that records of known kinds can be drawn. */
export const drawable = computed(() => Object.keys(kinds.value ?? {}).length > 0);

/**
 * Sets the known kinds when the views are loaded.
 * @param {Kinds | null} loaded null if loading failed; kinds that were loaded before remain
 */
export function useViews(loaded) {
  kinds.value = loaded ?? kinds.value ?? {};
}

/** @type {RecordKind<RunRecord>} */
const UNKNOWN = { view: viewUnknown, name: unknownName };

/** @param {RunRecord} record @returns {RecordKind<RunRecord>} */
function kindOf({ kind }) {
  const known = kinds.value;
  return known && Object.hasOwn(known, kind) ? /** @type {RecordKind<any>} */ (known[kind]) : UNKNOWN;
}

/** @param {RunRecord} record @param {import("../../state/cell-state.js").CellState | null} [cell] the cell whose result contains it */
export function view(record, cell = null) {
  return kindOf(record).view(record, cell);
}

/** The name of a record in the list under its cell. @param {RunRecord} record */
export function name(record) {
  return kindOf(record).name(record);
}

/** The verdict of a record; null if it neither passes nor fails. @param {RunRecord} record */
export function verdict(record) {
  return kindOf(record).verdict?.(record) ?? null;
}

/** The verdicts of the records that have one. @param {RunRecord[]} records @returns {Verdict[]} */
export function verdicts(records) {
  return records.flatMap((record) => verdict(record) ?? []);
}

/** The texts of the verdicts, each once, since a check in a loop can pass many times. @param {RunRecord[]} records */
export function verdictWords(records) {
  return [...new Set(verdicts(records).map(({ words }) => words))];
}

/**
 * Whether a run ended with the error of a gradient check whose record shows the failure.
 * @param {RunRecord[]} records
 * @param {import("../../lib/types.js").RunResult | null} result
 */
export function isShownByRecord(records, result) {
  return result?.error?.type === "GradcheckError" && verdicts(records).some((one) => !one.passed);
}

/**
 * The texts that are announced to screen readers: the verdicts, then the names of the other records, each once.
 * @param {RunRecord[]} records
 */
export function announced(records) {
  const others = records.filter((record) => !verdict(record) && record.kind !== "examined");
  return [...verdictWords(records), ...new Set(others.map((one) => (one.kind === "diagnosis" ? severityWords(one.severity) : name(one))))];
}
