/** What an instrument could not show, through a fault of ours. */

import { html, nothing } from "lit";

import { t } from "../lib/words.js";
import { lineLink, Panel } from "./panel.js";

/** @typedef {import("../lib/types.js").FaultRecord} FaultRecord */

class FaultView extends Panel {
  /** @override */
  static properties = { record: { attribute: false } };

  constructor() {
    super();
    /** @type {FaultRecord | null} */
    this.record = null;
  }

  /** @override */
  render() {
    const fault = this.record;
    if (!fault) return nothing;
    return html`<article class="panel" aria-label=${name(fault)}>
      <header><h3 tabindex="-1">${t("The {instrument} could not be shown.", { instrument: instrumentWords(fault.instrument) })}</h3><span class="end">${lineLink(fault.span)}</span></header>
      <p class="meaning">${t("The fault is ours, not your program’s.")}</p>
      <details class="folded"><summary>${t("What went wrong")}</summary><pre class="value" tabindex="0">${fault.reason}</pre></details>
    </article>`;
  }
}

/** @param {FaultRecord} record */
export function view(record) {
  return html`<fault-view .record=${record}></fault-view>`;
}

/** @param {FaultRecord} fault */
export function name(fault) {
  return t("{instrument} not shown", { instrument: instrumentWords(fault.instrument) });
}

/** @param {string} instrument */
function instrumentWords(instrument) {
  switch (instrument) {
    case "graph":
      return t("graph");
    case "figure":
      return t("figure");
    case "value":
      return t("value");
    default:
      return instrument;
  }
}

customElements.define("fault-view", FaultView);
