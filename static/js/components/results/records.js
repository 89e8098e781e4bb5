/**
 * What the page knows of each kind of record, as soon as the views are loaded: the view that shows it, what it is called, and whether it
 * passes or fails. A kind that has no view is shown as unknown, never as something else.
 */

import { computed, signal } from "@preact/signals-core";

import { name as unknownName, view as viewUnknown } from "./unknown-view.js";

/**
 * @typedef {import("../../lib/types.js").RunRecord} RunRecord
 * @typedef {{passed: boolean, words: string}} Verdict
 */

/**
 * `verdict`: what the cell's head says of a record that passes or fails; null of one that does neither.
 * @template Shown
 * @typedef {object} RecordKind  what a view's module exports
 * @property {(record: Shown) => import("lit").TemplateResult} view
 * @property {(record: Shown) => string} name
 * @property {(record: Shown) => Verdict | null} [verdict]
 */

/** @typedef {{[Kind in RunRecord["kind"]]?: RecordKind<import("../../lib/types.js").RecordOf<Kind>>}} Kinds */

/** Null until the views are loaded; empty if they could not be. */
const kinds = signal(/** @type {Kinds | null} */ (null));

/** Whether results can be shown. */
export const ready = computed(() => kinds.value !== null);

/**
 * Makes the views known, once they are loaded.
 * @param {Kinds | null} loaded null: they could not be loaded; those of an earlier try stay
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

/** @param {RunRecord} record */
export function view(record) {
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

/** What they say, each thing once: a check in a loop passes many times. @param {RunRecord[]} records */
export function verdictWords(records) {
  return [...new Set(verdicts(records).map(({ words }) => words))];
}

/**
 * Whether a run ended by the error of a check of gradients, and the check's record shows what it found.
 * @param {RunRecord[]} records
 * @param {import("../../lib/types.js").RunResult | null} result
 */
export function isShownByRecord(records, result) {
  return result?.error?.type === "GradcheckError" && verdicts(records).some((one) => !one.passed);
}

/** What screen readers announce: the verdicts, then the names of all else, each once. @param {RunRecord[]} records */
export function announced(records) {
  const others = records.filter((record) => !verdict(record));
  return [...verdictWords(records), ...new Set(others.map(name))];
}
