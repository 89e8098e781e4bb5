/** The value of a trailing expression, with what there is to know of a tensor. */

import { html, nothing } from "lit";

import { t } from "../lib/words.js";
import { lineLink, Panel } from "./panel.js";

/** @typedef {import("../lib/types.js").ValueRecord} ValueRecord */

class ValueView extends Panel {
  /** @override */
  static properties = { record: { attribute: false } };

  constructor() {
    super();
    /** @type {ValueRecord | null} */
    this.record = null;
  }

  /** @override */
  render() {
    const value = this.record;
    if (!value) return nothing;
    return html`<article class="panel" aria-label=${t("Value")}>
      <header><h3 tabindex="-1">${value.title ? html`<code>${value.title}</code>` : t("Value")}</h3><span class="end">${lineLink(value.span)}</span></header>
      <pre class="value" tabindex="0">${value.text}</pre>
      ${value.shape ? this.facts(value) : nothing}
    </article>`;
  }

  /** @param {ValueRecord} value */
  facts(value) {
    /** @type {[string, string | null][]} */
    const facts = [
      [t("shape"), `(${value.shape?.join(", ")})`],
      [t("type"), value.dtype],
      [t("requires grad"), value.requires_grad === null ? null : value.requires_grad ? "True" : "False"],
      ["grad_fn", value.grad_fn],
    ];
    return html`<dl class="facts">
      ${facts.map(([name, fact]) => (fact ? html`<div><dt>${name}</dt><dd>${fact}</dd></div>` : nothing))}
    </dl>`;
  }
}

/** @param {ValueRecord} record */
export function view(record) {
  return html`<value-view .record=${record}></value-view>`;
}

export function name() {
  return t("Value");
}

customElements.define("value-view", ValueView);
