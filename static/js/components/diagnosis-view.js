/** A pitfall that a program fell into: how serious that is, what happened, what to change, and the lesson about it. */

import { html, nothing } from "lit";

import { pageLanguage, pieces, t } from "../lib/words.js";
import { icon } from "./icons.js";
import { lineLink, Panel } from "./panel.js";

/** @typedef {import("../lib/types.js").RecordOf<"diagnosis">} Diagnosis */

class DiagnosisView extends Panel {
  /** @override */
  static properties = { record: { attribute: false } };

  constructor() {
    super();
    /** @type {Diagnosis | null} */
    this.record = null;
  }

  /** @override */
  render() {
    const diagnosis = this.record;
    if (!diagnosis) return nothing;
    const { message, change, lesson } = diagnosis;
    const head = html`<b>${message || diagnosis.code}</b>`;
    return html`<article class="panel" aria-label=${name(diagnosis)}>
      <header><h3 tabindex="-1">${icon(diagnosis.severity === "hint" ? "bulb" : "alert")} ${name(diagnosis)}</h3><span class="end">${lineLink(diagnosis.span)}</span></header>
      <p class="meaning">${change ? pieces("{head} {rest}", { head, rest: change }) : head}</p>
      ${lesson ? html`<p class="meaning"><a href="/${pageLanguage()}/${lesson}">${t("Read more in the lesson")}</a></p>` : nothing}
    </article>`;
  }
}

/** @param {Diagnosis} record */
export function view(record) {
  return html`<diagnosis-view .record=${record}></diagnosis-view>`;
}

/** @param {Diagnosis} diagnosis */
export function name({ severity }) {
  switch (severity) {
    case "error":
      return t("Problem");
    case "warning":
      return t("Warning");
    case "hint":
      return t("Hint");
  }
}

customElements.define("diagnosis-view", DiagnosisView);
