/** A record of a kind that this page does not know, shown as what it is: its kind, and its JSON. */

import { html, nothing } from "lit";

import { t } from "../lib/words.js";
import { lineLink, Panel } from "./panel.js";
import { unknownName } from "./records.js";

/** @typedef {import("../lib/types.js").RunRecord} RunRecord */

class UnknownView extends Panel {
  /** @override */
  static properties = { record: { attribute: false } };

  constructor() {
    super();
    /** @type {RunRecord | null} */
    this.record = null;
  }

  /** @override */
  render() {
    const record = this.record;
    if (!record) return nothing;
    return html`<article class="panel" aria-label=${unknownName(record)}>
      <header><h3 tabindex="-1">${unknownName(record)}</h3><span class="end">${lineLink(record.span)}</span></header>
      <p class="meaning">${t("This page does not know this kind of record.")}</p>
      <details class="folded"><summary>${t("As JSON")}</summary><pre class="value" tabindex="0">${JSON.stringify(record, null, 2)}</pre></details>
    </article>`;
  }
}

customElements.define("unknown-view", UnknownView);
