/**
 * One line with the number of properties that the probes confirmed, which opens to a list. It is empty if a probe failed, because that is a
 * finding.
 */

import { html, nothing } from "lit";

import { t } from "../../lib/words.js";
import { icon } from "../page/icons.js";
import { CellElement } from "../page/page-element.js";

/** @typedef {import("../../lib/types.js").ExaminedRecord} ExaminedRecord */

class ProbesHeld extends CellElement {
  /** @override */
  render() {
    const examined = this.cell?.findings.examined.value ?? [];
    const held = examined.flatMap((one) => one.held);
    if (!held.length) return nothing;
    return html`<details class="panel one-line panel-passing probes">
      <summary>${icon("pass")}${t("Beyond gradcheck: {held} of {count} hold", { held: held.length, count: held.length })}</summary>
      ${examined.map((one) => this.ofFunction(one))}
    </details>`;
  }

  /** @param {ExaminedRecord} record */
  ofFunction({ function: name, held }) {
    return html`<div class="probed-tensors">
      <p><code>${name}</code></p>
      <ul>
        ${held.map((one) => html`<li>${icon("pass")}<span>${probeWords(one)}</span></li>`)}
      </ul>
    </div>`;
  }
}

/** The property that a probe tested. @param {ExaminedRecord["held"][number]} name */
function probeWords(name) {
  switch (name) {
    case "gradient":
      return t("its gradient is that of forward");
    case "second":
      return t("its second derivative is that of forward");
    case "linear":
      return t("it is linear in the incoming gradient");
    case "layout":
      return t("it accepts incoming gradients that are transposed, sliced or expanded");
    case "unchanged":
      return t("it changes neither its inputs nor incoming gradients nor saved tensors");
    case "types":
      return t("its gradients have the shapes and data types of its inputs");
    case "inputs":
      return t("each input gets its gradient, whichever others need one");
    case "options":
      return t("its gradient is right for other values of its options, too");
    case "repeatable":
      return t("the same call has the same gradient again");
  }
}

customElements.define("probes-held", ProbesHeld);
