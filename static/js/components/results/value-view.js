/** The value of a trailing expression; for a tensor also its shape, type and gradient function. */

import { html, nothing } from "lit";

import { t } from "../../lib/words.js";
import { lineLink, panel } from "./panel.js";

/** @typedef {import("../../lib/types.js").ValueRecord} ValueRecord */

/** @param {ValueRecord} value */
export function view(value) {
  return panel(
    { label: name(), heading: value.title ? html`<code>${value.title}</code>` : name(), end: lineLink(value.span) },
    html`<pre class="value" tabindex="0">${value.text}</pre>${value.shape ? facts(value) : nothing}`,
  );
}

/** @param {ValueRecord} value */
function facts({ shape, dtype, requires_grad, grad_fn }) {
  /** @type {[string, string | null][]} */
  const known = [
    [t("shape"), `(${shape?.join(", ")})`],
    [t("type"), dtype],
    [t("requires grad"), requires_grad === null ? null : requires_grad ? "True" : "False"],
    ["grad_fn", grad_fn],
  ];
  return html`<dl class="fact-list">
    ${known.map(([name, fact]) => (fact ? html`<div><dt>${name}</dt><dd>${fact}</dd></div>` : nothing))}
  </dl>`;
}

export function name() {
  return t("Value");
}
