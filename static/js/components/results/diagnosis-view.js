/** A diagnosis of a program: its severity, what happened, what to change, and the lesson about it. */

import { html, nothing } from "lit";

import { pageLanguage, pieces, t } from "../../lib/words.js";
import { icon } from "../page/icons.js";
import { lineLink, panel } from "./panel.js";

/** @typedef {import("../../lib/types.js").RecordOf<"diagnosis">} Diagnosis */

/** @param {Diagnosis} diagnosis */
export function view(diagnosis) {
  const { message, change, lesson, severity, code, span } = diagnosis;
  const head = html`<b>${message || code}</b>`;
  return panel(
    { label: name(diagnosis), heading: html`${icon(severity === "hint" ? "bulb" : "alert")} ${name(diagnosis)}`, end: lineLink(span) },
    html`<p class="meaning">${change ? pieces("{head} {rest}", { head, rest: change }) : head}</p>
      ${lesson ? html`<p class="meaning"><a href="/${pageLanguage()}/${lesson}">${t("Read more in the lesson")}</a></p>` : nothing}`,
  );
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
