/** Joins a lesson's cell and the cells that it continues into one program that runs outside the lesson. */

import { pythonLanguage } from "@codemirror/lang-python";

import { t } from "../words.js";

/**
 * @typedef {{number: number, filename: string, raises: string, text: string}} Part  `raises`: the exception that ends it, as the lesson
 *   declares, or ""
 */

/**
 * Joins the parts. The last part is the cell itself; an earlier part may end with its declared exception, and the parts after it still run.
 * @param {Part[]} parts
 */
export function joinProgram(parts) {
  if (parts.length === 1) return parts[0]?.text ?? "";
  return parts
    .map(
      (part, index) =>
        `# ${t("cell {number}: {filename}", { number: part.number, filename: part.filename })}\n${
          part.raises && index < parts.length - 1 ? tolerate(part) : tidy(part.text)
        }`,
    )
    .join("\n\n");
}

/** @param {string} text */
function tidy(text) {
  return `${text.replace(/\s+$/, "")}\n`;
}

/** Wraps a cell in `try`, so that what it defines before its declared exception remains defined, as in the lesson. @param {Part} part */
function tolerate({ text, raises }) {
  const inside = linesInStrings(text);
  const lines = tidy(text)
    .split("\n")
    .map((line, index) => (line && !inside.has(index) ? `    ${line}` : line));
  return `try:\n${lines.join("\n")}except Exception as error:\n    if type(error).__name__ != "${raises}":\n        raise\n`;
}

/** The lines, counted from 0, that begin inside a string. Indenting them would change the string. @param {string} text */
function linesInStrings(text) {
  /** @type {Set<number>} */
  const inside = new Set();
  const lineOf = (/** @type {number} */ at) => text.slice(0, at).split("\n").length - 1;
  pythonLanguage.parser.parse(text).iterate({
    enter: (node) => {
      if (!/String$/.test(node.name)) return;
      for (let line = lineOf(node.from) + 1; line <= lineOf(node.to); line++) inside.add(line);
    },
  });
  return inside;
}
