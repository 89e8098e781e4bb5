/** The outcome of a run in one line, and how it differs from the run before. */

import { endWords } from "../../lib/run/run-words.js";
import { inARow, t } from "../../lib/words.js";
import { isShownByRecord, verdictWords } from "./records.js";

/** @typedef {import("../../state/run-state.js").RunState} RunState */

const CHARACTERS = 60;

/** @param {RunState} now @param {RunState | null} before */
export function summary(now, before) {
  const told = ending(now);
  if (!now.result || !before?.result) return told;
  const changes = [told === ending(before) ? "" : told, printed(before.result.stdout, now.result.stdout), nodes(before, now)];
  return inARow(changes) || (shownBy(before) === shownBy(now) ? t("Nothing changes.") : t("it shows something else"));
}

/** The verdicts of a run, or if there are none, how it ended. @param {RunState} state */
function ending({ records, result }) {
  if (!result) return "";
  const checks = isShownByRecord(records, result) ? [] : verdictWords(records);
  return inARow(checks.length ? checks : endWords(result));
}

/** The first printed line that differs. @param {string} before @param {string} now */
function printed(before, now) {
  const [earlier, later] = [before.split("\n"), now.split("\n")];
  const at = later.findIndex((line, index) => line !== earlier[index]);
  if (at < 0) return before === now ? "" : t("it prints less");
  const [line, other] = [short(later[at] ?? ""), short(earlier[at] ?? "")];
  if (!line) return t("it prints less");
  return other ? t("it prints “{line}” in place of “{other}”", { line, other }) : t("it prints “{line}”", { line });
}

/** The number of nodes of the first graph whose number of nodes differs. @param {RunState} before @param {RunState} now */
function nodes(before, now) {
  const counts = (/** @type {RunState} */ state) =>
    state.records.flatMap((record) => (record.kind === "graph" ? [record.nodes.length] : []));
  const [earlier, later] = [counts(before), counts(now)];
  const at = later.findIndex((count, index) => earlier[index] !== undefined && count !== earlier[index]);
  return at < 0 ? "" : t("the graph has {count} nodes in place of {other}", { count: later[at] ?? 0, other: earlier[at] ?? 0 });
}

/** The content of all records, without their places in the program, and of the error. @param {RunState} state */
function shownBy({ records, result }) {
  const shown = records.map((record) => {
    if (record.kind === "graph") return [record.nodes.map(({ kind, label }) => [kind, label]), record.edges.map(({ kind }) => kind)];
    const { id: _, span: _span, refs: _refs, stdout_offset: _offset, ...fields } = record;
    return fields;
  });
  return JSON.stringify([shown, result?.error?.message]);
}

/** @param {string} line */
function short(line) {
  const text = line.trim();
  return text.length > CHARACTERS ? `${text.slice(0, CHARACTERS)}…` : text;
}
