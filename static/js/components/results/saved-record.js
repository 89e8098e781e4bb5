/** What the calls of custom Functions saved, if a program shows no graph and runs no backward. */

import { html } from "lit";

import { t } from "../../lib/words.js";
import { savedView } from "../trace/saved-view.js";
import { panel } from "./panel.js";

/**
 * @param {import("../../lib/types.js").SavedRecord} record
 * @param {import("../../state/cell-state.js").CellState | null} cell whose second run contains the record
 */
export function view(record, cell) {
  const calls = (cell?.trace.records.value ?? [record]).flatMap((one) => (one.kind === "saved" ? [one] : []));
  return html`<div>${panel({ label: name(), end: "" }, savedView(calls, cell))}</div>`;
}

export function name() {
  return t("What was saved for backward");
}
