/** A read-only listing of Python code. It marks the lines that another text, `beside`, does not have. */

import "../page/page-base.js";
import { highlightCode } from "@lezer/highlight";
import { diffLines } from "diff";
import { html, nothing } from "lit";

import { colours, python } from "../../editor/colours.js";
import { t } from "../../lib/words.js";
import { PageElement } from "../page/page-element.js";

class CodeListing extends PageElement {
  /** @override */
  static properties = { text: { attribute: false }, beside: { attribute: false }, label: {} };

  constructor() {
    super();
    this.text = "";
    /** The text to compare with. */
    this.beside = "";
    this.label = "";
  }

  /** @override */
  render() {
    const other = linesThatDiffer(this.text, this.beside);
    const lines = coloured(this.text.replace(/\n$/, ""));
    return html`<pre tabindex="0" aria-label=${this.label} role="region">
${lines.map((line, index) => html`<span class="l ${other.has(index) ? "differs" : ""}">${line}${"\n"}</span>`)}</pre>
      ${other.size ? html`<p class="side-note">${t("Marked: lines that yours does not have.")}</p>` : nothing}`;
  }
}

/** The lines of a text, each as pieces in the editor's colours. @param {string} text */
function coloured(text) {
  /** @type {unknown[][]} */
  const lines = [[]];
  highlightCode(
    text,
    python.parser.parse(text),
    colours,
    (piece, classes) => void lines.at(-1)?.push(classes ? html`<span class=${classes}>${piece}</span>` : piece),
    () => void lines.push([]),
  );
  return lines;
}

/** The indices, from 0, of the lines of `text` that `other` does not have. @param {string} text @param {string} other */
function linesThatDiffer(text, other) {
  /** @type {Set<number>} */
  const found = new Set();
  let line = 0;
  for (const { count, added, removed } of diffLines(other.trimEnd() + "\n", text.trimEnd() + "\n")) {
    for (let at = line; added && at < line + count; at++) found.add(at);
    if (!removed) line += count;
  }
  return found;
}

customElements.define("code-listing", CodeListing);
