/** The change that mends a finding: a preview of the lines, Apply and Cancel, and then Undo. It is offered only while the text that ran is in the editor. */

import { html, nothing } from "lit";

import { preview } from "../../lib/doctor/edits.js";
import { t } from "../../lib/words.js";

/**
 * @typedef {import("../../lib/doctor/findings.js").Finding} Finding
 * @typedef {import("../../lib/doctor/edits.js").Row} Row
 * @typedef {import("../../state/cell-state.js").CellState} CellState
 */

/**
 * The buttons of the change, with the preview above them; null if there is no change to offer.
 * @param {import("lit").LitElement} host which has the keyboard where its buttons replace one another
 * @param {Finding} finding
 * @param {CellState} cell
 * @param {{isOpen: boolean, open: (isOpen: boolean) => void}} view
 */
export function changePart(host, finding, cell, { isOpen, open }) {
  const { findings } = cell;
  const press = (/** @type {() => void} */ act, /** @type {string} */ next) => async () => {
    act();
    await host.updateComplete;
    /** @type {HTMLElement | null} */ (host.querySelector(next))?.focus();
  };
  if (findings.isApplied(finding)) {
    const undo = press(() => (findings.undo(), open(false)), ".preview-change");
    return {
      preview: html`<p class="applied" role="status">${t("The program is changed. Run it to see whether that was all.")}</p>`,
      buttons: html`<button class="button small run-again" type="button" @click=${() => void cell.page.run(cell)}>${t("Run")}</button>
        <button class="button quiet small undo-change" type="button" @click=${undo}>${t("Undo")}</button>`,
    };
  }
  const edits = finding.diagnosis?.edits ?? [];
  const changes = findings.changesOf(edits);
  if (!changes) return null;
  if (!isOpen)
    return {
      preview: nothing,
      buttons: html`<button class="button quiet small preview-change" type="button" aria-expanded="false" @click=${press(() => open(true), ".apply-change")}>
        ${t("Preview change")}
      </button>`,
    };
  const parts = changes.map(({ cell: target, before }) => {
    const own = edits.filter(({ span }) => (cell.page.find(span.cell) ?? cell) === target);
    return { name: target === cell ? "" : cell.page.nameOf(target.id), hunks: preview(before, own) ?? [] };
  });
  return {
    preview: html`<div class="change-preview" role="group" aria-label=${t("The change")}>
      ${parts.map(({ name, hunks }) => html`${name ? html`<p>${name}</p>` : nothing}${hunks.map(hunk)}`)}
    </div>`,
    buttons: html`<button class="button small apply-change" type="button" @click=${press(() => findings.apply(finding), ".undo-change")}>
        ${t("Apply")}
      </button>
      <button class="button quiet small cancel-change" type="button" @click=${press(() => open(false), ".preview-change")}>${t("Cancel")}</button>`,
  };
}

/** Some rows, without the spaces that all of them begin with. @param {Row[]} rows */
function hunk(rows) {
  const indents = rows.flatMap(({ pieces: [first] }) => (first ? [first.text.length - first.text.trimStart().length] : []));
  const indent = Math.min(...indents);
  return html`<pre class="change-hunk">${rows.map((row) => rowView(row, indent))}</pre>`;
}

/** @param {Row} row @param {number} indent */
function rowView({ kind, number, pieces: [first = { text: "", changed: false }, ...others] }, indent) {
  const pieces = [{ ...first, text: first.text.slice(indent) }, ...others];
  const sign = { same: " ", before: "−", after: "+" }[kind];
  const words = pieces.map(({ text, changed }) => (changed && kind !== "same" ? html`<mark>${text}</mark>` : text));
  const line = html`<span class="number" aria-hidden="true">${number}</span>${sign} ${words}`;
  if (kind === "same") return html`<span class="hunk-row">${line}</span>`;
  return kind === "before" ? html`<del class="hunk-row">${line}</del>` : html`<ins class="hunk-row">${line}</ins>`;
}
