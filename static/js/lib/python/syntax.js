/** Reads the syntax tree of a Python text at a position: whether a name can be written there, and which call contains it. */

/**
 * @typedef {import("@lezer/common").Tree} Tree
 * @typedef {import("@lezer/common").SyntaxNode} SyntaxNode
 * @typedef {object} Call
 * @property {number} at the position of its opening bracket
 * @property {string} callee as written, e.g. "torch.sum"; the receiver is "?" if it is not a dotted name
 * @property {import("./signature.js").Argument} argument the argument at the position
 */

const NO_NAMES = new Set(["Comment", "String", "FormatString", "FormatSpec", "FormatConversion", "Number"]);
/** Statements that define a new name. */
const DECLARED = new Set(["FunctionDefinition", "ClassDefinition"]);

/**
 * Whether an existing name can be written here. It cannot in a string, a comment or a number, or where a function or class is being named.
 * @param {Tree} tree
 * @param {number} position
 */
export function takesNames(tree, position) {
  const node = tree.resolveInner(position, -1);
  return !NO_NAMES.has(node.name) && !(node.name === "VariableName" && DECLARED.has(node.parent?.name ?? ""));
}

/**
 * The names of the variables in a text, without the one that ends at the cursor.
 * @param {Tree} tree
 * @param {string} text
 * @param {number} position
 * @returns {string[]}
 */
export function variablesOf(tree, text, position) {
  const found = new Set();
  tree.iterate({
    enter: (node) => {
      if (node.name === "VariableName" && node.to !== position) found.add(text.slice(node.from, node.to));
    },
  });
  return [...found];
}

/**
 * The innermost call whose brackets contain a position; null if there is none.
 * @param {Tree} tree
 * @param {string} text
 * @param {number} position
 * @returns {Call | null}
 */
export function callAt(tree, text, position) {
  for (let node = /** @type {SyntaxNode | null} */ (tree.resolveInner(position, -1)); node; node = node.parent) {
    if (node.name === "Script" || node.name === "Body") return null;
    if (node.name !== "ArgList" || node.parent?.name !== "CallExpression" || !within(node, text, position)) continue;
    const written = text.slice(node.parent.from, node.from).trim();
    const callee = /^[\w.]+$/.test(written) ? written : /\.(\w+)$/.exec(written)?.[1];
    if (!callee) return null;
    return { at: node.from, callee: callee === written ? callee : `?.${callee}`, argument: argumentAt(node, text, position) };
  }
  return null;
}

/** @param {SyntaxNode} brackets @param {string} text @param {number} position */
function within(brackets, text, position) {
  const closed = text[brackets.to - 1] === ")" && brackets.lastChild?.name === ")";
  return position > brackets.from && (!closed || position < brackets.to);
}

/** @param {SyntaxNode} brackets @param {string} text @param {number} position */
function argumentAt(brackets, text, position) {
  const commas = brackets.getChildren(",").filter((comma) => comma.to <= position);
  const start = commas.at(-1)?.to ?? brackets.from + 1;
  const next = brackets.getChildren(",").find((comma) => comma.from >= position)?.from ?? brackets.to;
  return { index: commas.length, keyword: /^\s*(\w+)\s*=(?!=)/.exec(text.slice(start, next))?.[1] ?? "" };
}
