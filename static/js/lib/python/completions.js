/**
 * The names that can be completed at a position of a Python text, and the meaning of a name there. No code is run: the imports, the syntax
 * tree and the reference are read.
 */

import { attributesOf, importBefore, isDefined, meaningOf, typedBefore } from "./python-text.js";
import { BUILTINS, KEYWORDS } from "./python-words.js";
import { takesNames, variablesOf } from "./syntax.js";

/**
 * @typedef {import("./reference.js").Reference} Reference
 * @typedef {import("./reference.js").Name} Name
 * @typedef {import("@lezer/common").Tree} Tree
 * @typedef {{label: string, kind: string, path: string, boost: number}} Suggestion  `path` into the reference, empty for what is not in it
 */

const TENSOR = "torch.Tensor";
/** The number of letters after which completion opens by itself for a name without a dot. */
const LETTERS = 2;

/**
 * Suggestions for the name before the cursor, and where that name begins; null if there are none.
 * @param {{text: string, tree: Tree, position: number, explicit: boolean}} place `explicit`: whether a key asked for it
 * @param {Reference} reference
 * @returns {{from: number, suggestions: Suggestion[]} | null}
 */
export function complete({ text, tree, position, explicit }, reference) {
  const statement = importBefore(text, position);
  const typed = typedBefore(text, position);
  if (!statement && !takesNames(tree, position)) return null;
  if (!explicit && typed.owner === null && typed.text.length < LETTERS) return null;
  const suggestions = statement
    ? importable(statement, reference)
    : typed.owner === null
      ? words(text, tree, position)
      : attributes(typed.owner, text, position, explicit, reference);
  return suggestions.length ? { from: typed.from, suggestions } : null;
}

/** @param {{home: string, wants: string}} statement @param {Reference} reference @returns {Suggestion[]} */
function importable({ home, wants }, reference) {
  if (wants === "nothing") return [];
  if (wants === "names") return fromReference(home, reference);
  const start = home ? `${home}.` : "";
  const paths = Object.keys(reference.data.modules).filter(
    (path) => path.startsWith(start) && path !== "builtins" && !/\.[A-Z]/.test(path),
  );
  const parts = new Set(paths.map((path) => path.slice(start.length).split(".")[0] ?? ""));
  return [...parts].map((label) => ({ label, kind: "namespace", path: start + label, boost: 0 }));
}

/**
 * @param {string} owner
 * @param {string} text
 * @param {number} position
 * @param {boolean} explicit
 * @param {Reference} reference
 * @returns {Suggestion[]}
 */
function attributes(owner, text, position, explicit, reference) {
  const path = owner === "?" ? null : expand(owner, text, position);
  const own = owner === "?" || (path && !path.endsWith("FunctionCtx")) ? [] : attributesOf(owner, text, position);
  const seen = own.map((label) => ({ label, kind: "property", path: "", boost: 2 }));
  if (path && reference.has(path)) return unique([...fromReference(path, reference), ...seen]);
  if (path) return [];
  if (owner === "self") return seen;
  return explicit ? unique([...fromReference(TENSOR, reference), ...seen]) : [];
}

/** @param {string} path @param {Reference} reference @returns {Suggestion[]} */
function fromReference(path, reference) {
  return reference
    .members(path)
    .map((one) => ({ label: one.name, kind: one.kind, path: one.path, boost: one.name.endsWith("_") ? -1 : 0 }));
}

/** @param {string} text @param {Tree} tree @param {number} position @returns {Suggestion[]} */
function words(text, tree, position) {
  return unique([
    ...variablesOf(tree, text, position).map((label) => ({ label, kind: "variable", path: "", boost: 2 })),
    ...KEYWORDS.map((label) => ({ label, kind: "keyword", path: "", boost: 0 })),
    ...BUILTINS.map((label) => ({ label, kind: "function", path: `builtins.${label}`, boost: 0 })),
  ]);
}

/** @param {Suggestion[]} suggestions of which the first of each label remains */
function unique(suggestions) {
  return [...new Map([...suggestions].reverse().map((one) => [one.label, one])).values()].reverse();
}

/**
 * The entry of the reference for a name that is written with or without dots.
 * @param {string} written with "?" for a receiver that is not a dotted name
 * @param {string} text
 * @param {number} position
 * @param {Reference} reference
 * @returns {Name | null}
 */
export function lookUp(written, text, position, reference) {
  const name = written.slice(written.lastIndexOf(".") + 1);
  if (name === written) {
    const meaning = meaningOf(written, text, position);
    if (meaning) return reference.find(meaning) ?? moduleName(meaning);
    return isDefined(written, text) ? null : reference.find(`builtins.${written}`);
  }
  const owner = written.slice(0, -name.length - 1);
  const path = owner === "?" ? null : expand(owner, text, position);
  if (path || owner === "self") return path ? reference.find(`${path}.${name}`) : null;
  return reference.find(`${TENSOR}.${name}`);
}

/** An entry for the top-level module `torch`; null for any other path. @param {string} path @returns {Name | null} */
function moduleName(path) {
  return path === "torch" ? { path, name: path, kind: "namespace", signatures: [], summary: "", url: "" } : null;
}

/**
 * Replaces the first part of a dotted name with its meaning; null if the meaning is unknown.
 * @param {string} written
 * @param {string} text
 * @param {number} position
 */
function expand(written, text, position) {
  const [root = "", ...rest] = written.split(".");
  const meaning = meaningOf(root, text, position);
  return meaning ? [meaning, ...rest].join(".") : null;
}
