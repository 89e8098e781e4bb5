/** A record that says what an instrument could not show, because of a fault in the app. */

import { html } from "lit";

import { t } from "../../lib/words.js";
import { lineLink, panel } from "./panel.js";

/** @typedef {import("../../lib/types.js").FaultRecord} FaultRecord */

/** @param {FaultRecord} fault */
export function view(fault) {
  return panel(
    {
      label: name(fault),
      heading: t("The {instrument} could not be shown.", { instrument: instrumentWords(fault.instrument) }),
      end: lineLink(fault.span),
    },
    html`<p class="panel-meaning">${t("The fault is ours, not your program’s.")}</p>
      <details class="folded-part"><summary>${t("What went wrong")}</summary><pre class="value" tabindex="0">${fault.reason}</pre></details>`,
  );
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
