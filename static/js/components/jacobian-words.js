/** One or two sentences on what a pair of Jacobians says. Only what follows from the record. */

import { html } from "lit";

import { brief } from "../lib/number.js";
import { find, worst } from "../lib/jacobian.js";
import { pieces, t } from "../lib/words.js";

/**
 * @typedef {import("../lib/types.js").GradcheckDisplay} GradcheckDisplay
 * @typedef {import("../lib/types.js").JacobianPair} JacobianPair
 * @typedef {import("../lib/number.js").Real} Real
 */

/** @param {GradcheckDisplay} check @param {JacobianPair} pair */
export function meaning(check, pair) {
  const [head, rest] = sentences(check, pair);
  return html`<p class="meaning">${pieces("{head} {rest}", { head: html`<b>${head}</b>`, rest })}</p>`;
}

/** What is compared: an output by an input, each by its name if it has one. @param {JacobianPair} pair */
export function pairWords(pair) {
  return t("{output} by {input}", { output: pair.output_name ?? t("output {index}", { index: pair.output }), input: inputWords(pair) });
}

/** @param {JacobianPair} pair */
function inputWords(pair) {
  return pair.input_name ?? t("input {index}", { index: pair.input });
}

/** @param {GradcheckDisplay} check @param {JacobianPair} pair @returns {[string, string]} */
function sentences(check, pair) {
  const finding = find(pair, check.passed);
  switch (finding.fact) {
    case "agree":
      return [t("The two agree."), largest(pair)];
    case "zero":
      return [t("Your backward returns zero everywhere."), nudge(check, pair)];
    case "not-zero":
      return [t("The numerical Jacobian is zero, and yours is not."), where(pair)];
    case "not-a-number":
      return [t("Your backward returns values that are not finite numbers."), where(pair)];
    case "factor":
      return finding.factor === -1
        ? [t("Your backward has the wrong sign everywhere."), where(pair)]
        : [t("Your backward is {factor} times the numerical Jacobian everywhere.", { factor: brief(finding.factor, 4) }), where(pair)];
    case "transposed":
      return [t("Your backward returns the transpose of the numerical Jacobian."), where(pair)];
    case "differ":
      return [count(pair), where(pair)];
  }
}

/** @param {JacobianPair} pair */
function largest(pair) {
  if (pair.max_abs_error === null) return "";
  return t("The largest difference is {error}, within the tolerance.", { error: brief(/** @type {Real} */ (pair.max_abs_error), 2) });
}

/** @param {JacobianPair} pair */
function count(pair) {
  const total = pair.shape[0] * pair.shape[1];
  return pair.failing === 1 && total === 1 ? t("The two differ.") : t("{failing} of {total} entries differ.", { failing: pair.failing, total });
}

/** @param {JacobianPair} pair */
function where(pair) {
  const top = worst(pair);
  if (!top) return "";
  return t("Worst at row {row}, column {column}: {numerical} numerically, {analytical} from your backward.", {
    row: top.row,
    column: top.column,
    numerical: brief(top.numerical, 4),
    analytical: brief(top.analytical, 4),
  });
}

/** @param {GradcheckDisplay} check @param {JacobianPair} pair */
function nudge(check, pair) {
  const top = worst(pair);
  if (!top) return "";
  const values = { input: inputWords(pair), row: top.row, amount: brief(top.numerical, 4) };
  if (check.order === 1) return t("Nudging {input}[{row}] changes the output by {amount} per unit.", values);
  return t("Nudging {input}[{row}] changes the gradient by {amount} per unit, for the random incoming gradient that gradgradcheck drew. A zero means that no path leads from there to the gradient.", values);
}
