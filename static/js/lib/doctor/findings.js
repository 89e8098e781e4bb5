/**
 * The findings of a run: how it failed, and what the doctor said about its program, in the order in which they are to be read. Plain data
 * that the page shows.
 */

import { outcomeMeaning, QUIET } from "../run/run-words.js";
import { t } from "../words.js";

/**
 * @typedef {import("../types.js").RunRecord} RunRecord
 * @typedef {import("../types.js").RunResult} RunResult
 * @typedef {import("../types.js").RunError} RunError
 * @typedef {import("../types.js").Diagnosis} Diagnosis
 * @typedef {import("../types.js").Span} Span
 * @typedef {Diagnosis["severity"]} Severity
 *
 * @typedef {object} Finding
 * @property {string} key different for each finding of a run
 * @property {string} code of the pitfall, or ""
 * @property {Severity} severity
 * @property {string} sentence what is wrong; "" if only the exception's message says it
 * @property {Span | null} span the piece of the program that is underlined
 * @property {Diagnosis | null} diagnosis
 * @property {RunResult | null} result of the run, if the finding is how it failed
 * @property {Finding[]} follows findings that this one explains
 */

/** @type {Severity[]} */
const GRAVEST = ["error", "warning", "hint"];

/**
 * The findings: how the run failed, then the diagnoses, the most severe first, otherwise in their order. A diagnosis with the code of the
 * error becomes one finding with it. A finding that another one explains is listed under that one.
 * @param {{result: RunResult | null, records: RunRecord[]}} first
 * @param {RunRecord[]} second the records of the second run
 * @returns {Finding[]}
 */
export function findingsOf(first, second) {
  const diagnoses = diagnosesOf([...second, ...first.records]);
  const failure = failureOf(first.result, first.records);
  const same = failure && diagnoses.find(({ code }) => code === failure.code);
  const others = diagnoses.filter((one) => one !== same).map((one) => findingOf(one));
  others.sort((one, other) => GRAVEST.indexOf(one.severity) - GRAVEST.indexOf(other.severity));
  return folded([...(failure ? [same ? merge(failure, same) : failure] : []), ...others]);
}

/** The diagnoses among records, without repetitions of the same diagnosis at the same place. @param {RunRecord[]} records */
export function diagnosesOf(records) {
  /** @type {Map<string, Diagnosis>} */
  const found = new Map();
  for (const record of records) {
    if (record.kind !== "diagnosis") continue;
    const key = JSON.stringify([record.code, record.span]);
    if (!found.has(key)) found.set(key, record);
  }
  return [...found.values()];
}

/** @param {Diagnosis} diagnosis @returns {Finding} */
export function findingOf(diagnosis) {
  const { code, severity, span, message } = diagnosis;
  const key = `${code} ${span?.cell ?? ""} ${span?.line ?? ""} ${span?.column ?? ""}`;
  return { key, code, severity, span, sentence: message || code, diagnosis, result: null, follows: [] };
}

/**
 * How a run failed; null if it did not, or if the record of a gradient check shows it.
 * @param {RunResult | null} result
 * @param {RunRecord[]} records
 * @returns {Finding | null}
 */
function failureOf(result, records) {
  if (!result || QUIET.includes(result.outcome) || isShownByCheck(result, records)) return null;
  const { error } = result;
  const span = error?.line ? { cell: error.cell, line: error.line, column: error.column, end_line: error.line, end_column: null } : null;
  const sentence = error?.explanation ?? outcomeMeaning(result);
  return { key: "error", code: error?.pitfall ?? "", severity: "error", sentence, span, diagnosis: null, result, follows: [] };
}

/** @param {RunResult} result @param {RunRecord[]} records */
function isShownByCheck({ error }, records) {
  return error?.type === "GradcheckError" && records.some((record) => record.kind === "gradcheck" && record.passed === false);
}

/** @param {Finding} failure @param {Diagnosis} diagnosis @returns {Finding} */
function merge(failure, diagnosis) {
  return { ...failure, diagnosis, sentence: failure.sentence || diagnosis.message || "", span: diagnosis.span ?? failure.span };
}

/** Moves each finding that another one explains into that one's list, together with its own list. @param {Finding[]} all */
function folded(all) {
  /** @type {Map<Finding, Finding>} */
  const above = new Map();
  const isAbove = (/** @type {Finding} */ one, /** @type {Finding | undefined} */ other) => {
    for (let at = other; at; at = above.get(at)) if (at === one) return true;
    return false;
  };
  for (const finding of all) {
    for (const other of all) {
      const explains = finding.diagnosis?.explains?.includes(other.code) && other.code !== finding.code;
      if (explains && !above.has(other) && !isAbove(other, finding)) above.set(other, finding);
    }
  }
  return all
    .filter((one) => !above.has(one))
    .map((one) => ({ ...one, follows: all.filter((other) => other !== one && isAbove(one, other)) }));
}

/** A severity in one word. @param {Severity} severity */
export function severityWords(severity) {
  switch (severity) {
    case "error":
      return t("Problem");
    case "warning":
      return t("Warning");
    case "hint":
      return t("Hint");
  }
}

/**
 * The first line of an exception's message, without an ending that introduces further lines; "" if there is no message.
 * @param {RunError} error
 */
export function headline({ message }) {
  const [first = ""] = message.trim().split("\n");
  return first.replace(/[,:]$/, "");
}

/** A finding as a text for screen readers. @param {Severity} severity @param {string} sentence */
export function spoken(severity, sentence) {
  return t("{severity}: {sentence}", { severity: severityWords(severity), sentence: sentence.replaceAll("`", "") });
}

/** The sentence of a finding, with code between backticks. @param {Finding} finding */
export function sentenceOf({ sentence, result, code }) {
  const { error } = result ?? {};
  if (sentence || !error) return sentence || code;
  return headline(error) || t("{exception}, without a message", { exception: error.type });
}
