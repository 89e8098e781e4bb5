/** The meaning of names in a Python text, from its imports, its classes and the text before the cursor. No code is run. */

/**
 * The meaning of these names in a text that does not import them. An earlier cell may have imported them.
 * @type {Record<string, string>}
 */
const CUSTOMARY = {
  torch: "torch",
  nn: "torch.nn",
  F: "torch.nn.functional",
  optim: "torch.optim",
  math: "math",
  make_dot: "torchviz.make_dot",
};
const CONTEXT = "torch.autograd.function.FunctionCtx";
const FUNCTION = "torch.autograd.Function";
const IMPORT = /^[ \t]*import[ \t]+(.+)$/gm;
const FROM = /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^)]*)\)?|([^\n(]+))/gm;

/** The meaning of each imported name, e.g. F → "torch.nn.functional". @param {string} text @returns {Map<string, string>} */
function importsOf(text) {
  const meanings = new Map();
  for (const [, list = ""] of text.matchAll(IMPORT)) {
    for (const { name, alias } of named(list)) meanings.set(alias || name.split(".")[0], alias ? name : name.split(".")[0]);
  }
  for (const [, home = "", bracketed, plain] of text.matchAll(FROM)) {
    for (const { name, alias } of named(bracketed ?? plain ?? "")) meanings.set(alias || name, `${home}.${name}`);
  }
  return meanings;
}

/** @param {string} list of an import, e.g. "a, b as c" */
function named(list) {
  return list
    .replace(/#.*$/gm, "")
    .split(",")
    .map((one) => /^\s*([\w.]+)(?:\s+as\s+(\w+))?/.exec(one))
    .filter((match) => match !== null)
    .map((match) => ({ name: match[1] ?? "", alias: match[2] ?? "" }));
}

/**
 * The meaning of a name at a position, as a dotted name; null if it is unknown.
 * @param {string} name
 * @param {string} text
 * @param {number} position
 * @returns {string | null}
 */
export function meaningOf(name, text, position) {
  const imported = importsOf(text).get(name);
  if (imported) return imported;
  if (name === contextName(text, position)) return CONTEXT;
  if (isFunctionClass(name, text)) return FUNCTION;
  return isDefined(name, text) ? null : Object.hasOwn(CUSTOMARY, name) ? (CUSTOMARY[name] ?? null) : null;
}

/**
 * The name of the context parameter in the `forward`, `backward`, `setup_context` or `jvp` method that contains a position; null elsewhere.
 * @param {string} text
 * @param {number} position
 */
function contextName(text, position) {
  const before = [...text.slice(0, position).matchAll(/^([ \t]*)def[ \t]+(\w+)[ \t]*\([ \t\n]*(\w+)?/gm)].at(-1);
  if (!before) return null;
  const [whole, indent = "", name = "", first = ""] = before;
  const body = text.slice(before.index + whole.length, position);
  const left = body
    .split("\n")
    .slice(1)
    .some((line) => line.trim() && !line.startsWith(indent + " ") && !line.startsWith(indent + "\t") && !line.trim().startsWith(")"));
  return indent && !left && ["forward", "backward", "setup_context", "jvp"].includes(name) && first !== "self" ? first : null;
}

/** @param {string} name @param {string} text */
function isFunctionClass(name, text) {
  return new RegExp(`^[ \\t]*class[ \\t]+${name}[ \\t]*\\([^)]*\\bFunction\\b[^)]*\\)`, "m").test(text);
}

/** Whether the text itself defines the name. @param {string} name @param {string} text */
export function isDefined(name, text) {
  return new RegExp(
    `\\b(?:def|class|as|for)[ \\t]+${name}\\b|^[ \\t]*(?:\\w+[ \\t]*,[ \\t]*)*${name}[ \\t]*(?:,[^\\n=()]*)?=(?!=)`,
    "m",
  ).test(text);
}

/**
 * @typedef {object} Typed  the name that is being typed
 * @property {number} from its start
 * @property {string} text the part that is typed
 * @property {string | null} owner what precedes its dot, e.g. "torch.nn"; "?" if it is not a dotted name; null without a dot
 */

/** @param {string} text @param {number} position @returns {Typed} */
export function typedBefore(text, position) {
  const line = text.slice(text.lastIndexOf("\n", position - 1) + 1, position);
  const typed = /[\p{L}_][\p{L}\p{N}_]*$/u.exec(line)?.[0] ?? "";
  const head = line.slice(0, line.length - typed.length);
  const from = position - typed.length;
  if (!/\.\s*$/.test(head)) return { from, text: typed, owner: null };
  const owner = /(?:^|[^\w.\])"'])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\.\s*$/.exec(head)?.[1];
  const number = /(?:^|[^\w.])\d[\d_]*\.$/.test(head);
  return { from, text: typed, owner: number ? null : (owner ?? "?") };
}

/**
 * The names that follow this owner and a dot elsewhere in the text, for example the attributes of "self".
 * @param {string} owner
 * @param {string} text
 * @param {number} position
 */
export function attributesOf(owner, text, position) {
  const found = [...text.matchAll(new RegExp(`(?<![\\w.])${owner}\\.([A-Za-z_]\\w*)`, "g"))];
  return [...new Set(found.filter((match) => match.index + match[0].length !== position).map((match) => match[1] ?? ""))];
}

/**
 * What can complete the import statement before the cursor: modules in `home`, names of `home`, or nothing (a new name after `as`).
 * @param {string} text
 * @param {number} position
 * @returns {{home: string, wants: "modules" | "names" | "nothing"} | null}
 */
export function importBefore(text, position) {
  const statement = /(?:^|\n)[ \t]*(from|import)[ \t]+([^\n]*(?:\([^)]*)?)$/.exec(text.slice(0, position));
  if (!statement) return null;
  const [, word, rest = ""] = statement;
  if (/\bas\s+\w*$/.test(rest)) return { home: "", wants: "nothing" };
  const names = /^([\w.]+)[ \t]+import\b/.exec(rest);
  if (word === "from" && names) return { home: names[1] ?? "", wants: "names" };
  if (/[\w.]\s+\w*$/.test(rest)) return null;
  return { home: /([\w.]+)\.\w*$/.exec(rest)?.[1] ?? "", wants: "modules" };
}
