/** Texts that say how a run ended and whether the program or the server caused it. */

import { inARow, t } from "../words.js";

/** @typedef {import("../types.js").RunResult} RunResult */

/** The outcomes that are not shown as errors. */
export const QUIET = ["finished", "stopped"];

/** A short text for each outcome. @param {RunResult} result */
function outcomeWords(result) {
  switch (result.outcome) {
    case "finished":
      return result.stdout || result.stderr || result.records.length ? t("Finished") : t("Ran, printed nothing");
    case "raised":
      return result.error ? t("{exception}", { exception: result.error.type }) : t("Ended by an exception");
    case "timed_out":
      return t("Out of time");
    case "out_of_memory":
      return t("Out of memory");
    case "output_limit":
      return t("Printed too much");
    case "forbidden":
      return t("Not allowed here");
    case "crashed":
      return t("The process crashed");
    case "stopped":
      return t("Stopped");
  }
}

/** What an outcome means, if the error does not say so itself. @param {RunResult} result */
export function outcomeMeaning(result) {
  switch (result.outcome) {
    case "timed_out":
      return t("The program was still running when its time was up, so it was ended.");
    case "out_of_memory":
      return t("The program asked for more memory than a run may have.");
    case "output_limit":
      return t("The program printed more than a run may; the part that fits is kept.");
    case "forbidden":
      return t("Code runs in a sandbox here: no other programs, no network, no files but its own.");
    case "crashed":
      return t("Python itself crashed, without an exception. What was printed before is kept.");
    default:
      return "";
  }
}

/** A duration as text, for example "28 ms" or "1.4 s". @param {number} ms */
export function duration(ms) {
  if (ms < 1000) return t("{ms} ms", { ms: ms < 10 ? ms.toFixed(1) : Math.round(ms) });
  return t("{seconds} s", { seconds: (ms / 1000).toFixed(1) });
}

/** The duration of a run, or for a recorded run, its mark. @param {RunResult} result */
export function timeWords({ recorded, timing }) {
  return recorded?.mark ?? duration(timing.total_ms);
}

/**
 * How the run ended, in which cell if not in the one that was run, and in which line.
 * @param {RunResult} result
 * @param {string} [elsewhere] the name of that cell
 */
export function endWords(result, elsewhere = "") {
  const outcome = outcomeWords(result);
  const line = result.error?.line;
  return [elsewhere ? t("{outcome} in {cell}", { outcome, cell: elsewhere }) : outcome, ...(line ? [t("line {line}", { line })] : [])];
}

/**
 * The whole result as one sentence for screen readers.
 * @param {string} cell
 * @param {RunResult} result
 * @param {string[]} shown the texts of its records
 * @param {string} [elsewhere] as in `endWords`
 */
export function announcement(cell, result, shown, elsewhere = "") {
  return t("{cell}: {what}", { cell, what: inARow([...endWords(result, elsewhere), ...shown, timeWords(result)]) });
}

/** The name of a gradient check: the framework's name, or PyTorch's. @param {{title?: string, order: 1 | 2}} check */
export function checkName({ title, order }) {
  return title || (order === 2 ? "gradgradcheck" : "gradcheck");
}

/** @param {{title?: string, order: 1 | 2, passed: boolean | null}} check */
export function checkWords(check) {
  const name = { check: checkName(check) };
  if (check.passed === null) return t("{check} compared nothing", name);
  return check.passed ? t("{check} passes", name) : t("{check} fails", name);
}
