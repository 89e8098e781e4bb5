/** A record of an unknown kind: shows the kind and the JSON. */

import { html } from "lit";

import { t } from "../../lib/words.js";
import { lineLink, panel } from "./panel.js";

/** @param {import("../../lib/types.js").RunRecord} record */
export function view(record) {
  return panel(
    { label: name(record), end: lineLink(record.span) },
    html`<p class="panel-meaning">${t("This page does not know this kind of record.")}</p>
      <details class="folded-part">
        <summary>${t("As JSON")}</summary>
        <pre class="value" tabindex="0">${JSON.stringify(record, null, 2)}</pre>
      </details>`,
  );
}

/** @param {import("../../lib/types.js").RunRecord} record */
export function name({ kind }) {
  return t("Record: {kind}", { kind });
}
