/**
 * One or two sentences about a pair of Jacobians, based on the record alone.
 *
 * The analytical side depends on the check: gradcheck calls the learner's backward, or in forward mode the jvp; gradgradcheck
 * differentiates the gradient, and autograd computes that derivative.
 */

import { html } from "lit";

import { brief } from "../../lib/numbers/number.js";
import { drawn, index, worst } from "../../lib/numbers/jacobian.js";
import { checkName } from "../../lib/run/run-words.js";
import { pieces, t } from "../../lib/words.js";

/**
 * @typedef {import("../../lib/types.js").GradcheckRecord} GradcheckRecord
 * @typedef {import("../../lib/types.js").JacobianPair} JacobianPair
 * @typedef {import("../../lib/numbers/number.js").Real} Real
 */

/** @param {GradcheckRecord} check @param {JacobianPair} pair */
export function meaning(check, pair) {
  const [head, rest] = check.mode === "fast" ? projection(check, pair) : sentences(check, pair);
  return html`<p class="panel-meaning">${pieces("{head} {rest}", { head: html`<b>${head}</b>`, rest })}</p>`;
}

/** Names the pair: an output with respect to an input, each by its name if it has one. @param {JacobianPair} pair */
export function pairWords(pair) {
  return withRespectTo(pair, outputWords(pair), "");
}

/**
 * Names an entry of the Jacobian: an entry of the output with respect to one of the input.
 * @param {JacobianPair} pair
 * @param {{row: number, column: number}} place
 */
export function entryWords(pair, { row, column }) {
  return withRespectTo(pair, outputEntry(pair, column), index(row, pair.input_shape));
}

/** @param {JacobianPair} pair @param {string} output @param {string} entry of the input, or "" */
function withRespectTo({ input, input_name: name }, output, entry) {
  return name
    ? t("{output} with respect to {input}", { output, input: name + entry })
    : t("{output} with respect to input {input}", { output, input: input + entry });
}

/**
 * Names the entries to which the rows and columns of a block belong.
 * @param {JacobianPair} pair
 * @param {{row: number, column: number}} first
 * @param {{row: number, column: number}} last
 */
export function rangeWords(pair, first, last) {
  const range = (/** @type {string} */ from, /** @type {string} */ to) =>
    from === to ? from : t("{first} to {last}", { first: from, last: to });
  return t("Entry by entry around the worst. Rows: {input}; columns: {output}.", {
    input: range(inputEntry(pair, first.row), inputEntry(pair, last.row)),
    output: range(outputEntry(pair, first.column), outputEntry(pair, last.column)),
  });
}

/** @param {JacobianPair} pair @param {number} entry */
function outputEntry(pair, entry) {
  return outputWords(pair) + index(entry, pair.output_shape);
}

/** @param {JacobianPair} pair @param {number} entry */
function inputEntry(pair, entry) {
  return inputWords(pair) + index(entry, pair.input_shape);
}

/** @param {JacobianPair} pair */
function outputWords(pair) {
  return pair.output_name ?? t("output {index}", { index: pair.output });
}

/** @param {JacobianPair} pair */
function inputWords(pair) {
  return pair.input_name ?? t("input {index}", { index: pair.input });
}

/** The heading of the analytical side: what computed it. @param {GradcheckRecord} check */
export function analyst(check) {
  if (check.order === 2) return t("autograd");
  return check.mode === "forward" ? t("jvp") : t("backward");
}

/** @param {GradcheckRecord} check @param {JacobianPair} pair @returns {[string, string]} */
function sentences(check, pair) {
  const finding = pair.finding ?? (pair.failing === 0 ? "agree" : "differ"); // results that older versions stored have no finding
  if (finding === "agree") return [t("The two agree."), largest(pair)];
  if (finding === "differ") return [count(pair), where(check, pair)];
  const factor = Number((pair.factor ?? 1).toPrecision(4));
  const words = check.order === 2 ? ofAutograd : check.mode === "forward" ? ofJvp : ofBackward;
  return [words(factor === -1 ? "sign" : finding, brief(factor, 4)), finding === "zero" ? nudge(check, pair) : where(check, pair)];
}

/** @typedef {"zero" | "not-zero" | "not-a-number" | "sign" | "factor" | "transposed"} Fault */

/** @param {Fault} fault @param {string} factor */
function ofBackward(fault, factor) {
  switch (fault) {
    case "zero":
      return t("Backward returns zero everywhere.");
    case "not-zero":
      return t("The numerical Jacobian is zero, and that of backward is not.");
    case "not-a-number":
      return t("Backward returns values that are not finite numbers.");
    case "sign":
      return t("Backward has the wrong sign everywhere.");
    case "factor":
      return t("Backward is {factor} times the numerical Jacobian everywhere.", { factor });
    case "transposed":
      return t("Backward returns the transpose of the numerical Jacobian.");
  }
}

/** @param {Fault} fault @param {string} factor */
function ofJvp(fault, factor) {
  switch (fault) {
    case "zero":
      return t("The jvp gives zero everywhere.");
    case "not-zero":
      return t("The numerical Jacobian is zero, and what the jvp gives is not.");
    case "not-a-number":
      return t("The jvp gives values that are not finite numbers.");
    case "sign":
      return t("The jvp gives the wrong sign everywhere.");
    case "factor":
      return t("The jvp gives {factor} times the numerical Jacobian everywhere.", { factor });
    case "transposed":
      return t("The jvp gives the transpose of the numerical Jacobian.");
  }
}

/** @param {Fault} fault @param {string} factor */
function ofAutograd(fault, factor) {
  switch (fault) {
    case "zero":
      return t("Autograd’s derivative of the gradient is zero everywhere.");
    case "not-zero":
      return t("The numerical derivative of the gradient is zero, and autograd’s is not.");
    case "not-a-number":
      return t("Autograd’s derivative of the gradient has values that are not finite numbers.");
    case "sign":
      return t("Autograd’s derivative of the gradient has the wrong sign everywhere.");
    case "factor":
      return t("Autograd’s derivative of the gradient is {factor} times the numerical one everywhere.", { factor });
    case "transposed":
      return t("Autograd’s derivative of the gradient is the transpose of the numerical one.");
  }
}

/**
 * The sentences about fast mode, which projects the whole Jacobian on random vectors and compares the two numbers.
 * @param {GradcheckRecord} check
 * @param {JacobianPair} pair
 * @returns {[string, string]}
 */
function projection(check, pair) {
  if (pair.failing === 0)
    return [t("The two projections agree."), t("Fast mode compares one random projection of the whole Jacobian, not its entries.")];
  const name = checkName(check);
  return [
    t("The two projections differ."),
    t(
      "Fast mode compares one random projection of the whole Jacobian, so it cannot say which entries are wrong. " +
        "Run {check} without fast_mode to see them.",
      { check: name },
    ),
  ];
}

/** @param {JacobianPair} pair */
function largest(pair) {
  if (pair.max_abs_error === null) return "";
  return t("The largest difference is {error}, within the tolerance.", { error: brief(/** @type {Real} */ (pair.max_abs_error), 2) });
}

/** @param {JacobianPair} pair */
function count(pair) {
  const total = pair.shape[0] * pair.shape[1];
  return pair.failing === 1 && total === 1
    ? t("The two differ.")
    : t("{failing} of {total} entries differ.", { failing: pair.failing.toLocaleString("en"), total: total.toLocaleString("en") });
}

/** @param {GradcheckRecord} check @param {JacobianPair} pair */
function where(check, pair) {
  const top = worst(drawn(pair));
  if (!top) return "";
  const values = { entry: entryWords(pair, top), numerical: brief(top.numerical, 4), analytical: brief(top.analytical, 4) };
  if (check.order === 2) return t("Worst is {entry}: {numerical} numerically, {analytical} from autograd.", values);
  if (check.mode === "forward") return t("Worst is {entry}: {numerical} numerically, {analytical} from the jvp.", values);
  return t("Worst is {entry}: {numerical} numerically, {analytical} from backward.", values);
}

/** @param {GradcheckRecord} check @param {JacobianPair} pair */
function nudge(check, pair) {
  const top = worst(drawn(pair));
  if (!top) return "";
  const values = { check: checkName(check), input: inputWords(pair), entry: inputEntry(pair, top.row), amount: brief(top.numerical, 4) };
  if (check.order === 1) return t("Nudging {entry} changes the output by {amount} per unit.", values);
  return t(
    "Nudging {entry} changes the gradient by {amount} per unit, for the random incoming gradient that {check} " +
      "drew. Most likely, no path in the graph leads from {input} to the gradient.",
    values,
  );
}
