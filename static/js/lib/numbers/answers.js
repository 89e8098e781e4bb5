/** Parses the learner's answers to predictions into the form that the API takes, and formats answers as text. */

import { t } from "../words.js";

/** @typedef {"value" | "shape" | "choice" | "verdict" | "line" | "isolated" | "nodes"} Asks */
/** @typedef {number | string | number[]} Answer */

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const MOST_AXES = 16;

/**
 * The answer that a text means; null if it does not answer such a question.
 * @param {Asks} asks
 * @param {string} text
 * @returns {Answer | null}
 */
export function parseAnswer(asks, text) {
  const written = text.normalize("NFKC").trim().replace(/[−–]/g, "-");
  if (asks === "value") return NUMBER.test(written) ? Number(written) : null;
  if (asks === "shape") return parseShape(written);
  if (asks === "line" || asks === "nodes" || asks === "choice") return /^\d{1,6}$/.test(written) ? Number(written) : null;
  return written || null;
}

/**
 * Parses a shape: "2, 3", also as torch prints it or with ×; "()" is the shape of a single number. Null if it is not a shape.
 * @param {string} written
 */
function parseShape(written) {
  const inside = written
    .replace(/^torch\.Size/i, "")
    .replace(/[()[\]]/g, " ")
    .trim();
  if (!inside) return written ? [] : null;
  const axes = inside.split(/\s*[,×x、*]\s*|\s+/).filter(Boolean);
  return axes.length <= MOST_AXES && axes.every((axis) => /^\d{1,9}$/.test(axis)) ? axes.map(Number) : null;
}

/**
 * An answer as text within a sentence. A choice is named by its number, since its text is shown elsewhere.
 * @param {Asks} asks
 * @param {unknown} answer
 */
export function answerWords(asks, answer) {
  switch (asks) {
    case "shape":
      return `(${/** @type {number[]} */ (answer).join(", ")}${/** @type {number[]} */ (answer).length === 1 ? "," : ""})`;
    case "choice":
      return t("choice {number}", { number: Number(answer) });
    case "verdict":
      return answer === "passes" ? t("it passes") : t("it fails");
    case "line":
      return t("line {line}", { line: Number(answer) });
    case "isolated":
      return answer === "none" ? t("none of them") : String(answer);
    default:
      return String(answer);
  }
}
