/** Describes a name in a few lines: its signatures, a sentence, and a link to its documentation. */

import { parameterFor } from "../lib/python/signature.js";
import { t } from "../lib/words.js";

/** @typedef {import("../lib/python/reference.js").Name} Name */

/** How much of the signature after the current argument is visible, at least. */
const AHEAD_PX = 24;

/** @param {Name} name @returns {HTMLElement} */
export function describe(name) {
  const whole = element("div", "cm-about");
  whole.append(heading(name));
  if (name.summary) whole.append(english(element("p", "cm-about-summary", name.summary)));
  return whole;
}

/** Like `describe`, with a link to the documentation. @param {Name} name @returns {HTMLElement} */
export function describeWithLink(name) {
  const whole = describe(name);
  if (!name.url) return whole;
  const link = document.createElement("a");
  link.href = name.url;
  link.target = "_blank";
  link.rel = "noopener";
  link.textContent = t("Documentation: {site}", { site: new URL(name.url).host });
  whole.append(link);
  return whole;
}

/** @param {Name} name */
function heading(name) {
  const code = element("div", "cm-about-signatures");
  const path = name.path.replace(/^builtins\./, "");
  for (const signature of name.signatures.length ? name.signatures : [""]) code.append(element("code", "", path + signature));
  return code;
}

/**
 * A line with the signature. The parameter of the current argument is marked and scrolled into view.
 * @param {Name} name
 * @param {string} signature
 * @param {import("../lib/python/signature.js").Argument} argument
 * @returns {import("@codemirror/view").TooltipView}
 */
export function signatureLine(name, signature, argument) {
  const line = element("div", "cm-signature");
  const current = parameterFor(signature, argument);
  const code = element("code", "", name.name);
  const mark = element("mark", "", current ? signature.slice(current.from, current.to) : "");
  if (current) code.append(signature.slice(0, current.from), mark, signature.slice(current.to));
  else code.append(signature);
  line.append(code);
  return { dom: line, mount: () => (line.scrollLeft = mark.offsetLeft + mark.offsetWidth + 2 * AHEAD_PX - line.clientWidth) };
}

/** The description of a name as text for screen readers. @param {Name} name */
export function spoken(name) {
  return [name.path.replace(/^builtins\./, "") + (name.signatures[0] ?? ""), name.summary].filter(Boolean).join(". ");
}

/** Marks a text as English, since the libraries' summaries are. @param {HTMLElement} node */
function english(node) {
  node.lang = "en";
  return node;
}

/** @param {string} tag @param {string} className @param {string} [text] */
function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}
