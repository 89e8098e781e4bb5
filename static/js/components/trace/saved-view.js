/** What each call of a custom Function saved for its backward, as one table for each call, and the paths that are therefore missing. */

import { html, nothing } from "lit";

import { shapeWords } from "../../lib/trace/gradient-words.js";
import { inARow, t } from "../../lib/words.js";
import { missingPaths, pathCuts } from "./missing-paths.js";
import { placeLink } from "../results/panel.js";

/**
 * @typedef {import("../../lib/types.js").SavedRecord} SavedRecord
 * @typedef {import("../../lib/types.js").SavedTensor} SavedTensor
 * @typedef {import("../../state/cell-state.js").CellState} CellState
 */

/** @param {SavedRecord[]} calls @param {CellState | null} cell whose result contains them */
export function savedView(calls, cell) {
  if (!calls.length) return html`<p class="panel-meaning">${t("No custom Function was called, so there is nothing that one saved.")}</p>`;
  return html`${calls.map((call) => callView(call, cell))}`;
}

/** @param {SavedRecord} call @param {CellState | null} cell */
function callView(call, cell) {
  const name =
    call.of > 1 ? t("{call}, call {number} of {count}", { call: call.function, number: call.number, count: call.of }) : call.function;
  return html`<section class="saved-call" data-call=${call.call} tabindex="-1">
    <h4>${name} ${placeLink(call.span, cell)}</h4>
    ${call.saved.length ? savedTable(call, cell) : html`<p class="panel-meaning">${t("It saved no tensors.")}</p>`}
    ${call.hooked ? html`<p class="panel-meaning">${t("Hooks on saved tensors were active, as in a checkpoint: they may keep something else in place of these.")}</p>` : nothing}
    ${missingPaths(call.missing, cell)}
    ${pathCuts(call.cuts, cell)}
  </section>`;
}

/** @param {SavedRecord} call @param {CellState | null} cell */
function savedTable(call, cell) {
  return html`<div class="saved-scroll" tabindex="0" role="group" aria-label=${t("Saved tensors")}>
    <table class="saved-tensors">
      <thead>
        <tr>
          <th scope="col">${t("Tensor")}</th>
          <th scope="col">${t("How it was saved")}</th>
          <th scope="col">${t("What it is")}</th>
          <th scope="col" class="number">${t("Bytes")}</th>
          <th scope="col">${t("Version")}</th>
          <th scope="col">${t("After backward")}</th>
        </tr>
      </thead>
      <tbody>
        ${call.saved.map((saved) => row(call, saved, cell))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colspan="3">${t("Together")}</th>
          <td class="number">${call.bytes}</td>
          <td colspan="2">
            ${
              call.builtin_bytes === null ? nothing : t("PyTorch’s own operations would save {bytes} bytes.", { bytes: call.builtin_bytes })
            }
          </td>
        </tr>
      </tfoot>
    </table>
  </div>`;
}

/** @param {SavedRecord} call @param {SavedTensor} saved @param {CellState | null} cell */
function row({ saved: all, backward_ran: ran, missing }, saved, cell) {
  const sharing = all.filter((other) => other !== saved && other.storage === saved.storage).map(({ name }) => name);
  return html`<tr data-tensor=${saved.tensor} tabindex="-1">
    <th scope="row">
      <code>${saved.name}</code>
      <span>${inARow([saved.shape ? shapeWords(saved.shape) : "", (saved.dtype ?? "").replace("torch.", "")])}</span>
    </th>
    <td>${howWords(saved.how)} ${placeLink(saved.span, cell)}</td>
    <td class=${missing.some((path) => path.saved === saved.name) ? "lacks-path" : ""}>${roleWords(saved.role)}</td>
    <td class="number">${saved.bytes}${sharing.length ? html`<span>${t("shared with {names}", { names: inARow(sharing) })}</span>` : nothing}</td>
    <td>${versionWords(saved)}</td>
    <td>${inARow([stateWords(saved, ran), saved.in_cycle ? t("in a reference cycle") : ""])}</td>
  </tr>`;
}

/** @param {SavedTensor["how"]} how */
function howWords(how) {
  if (how === "save_for_backward") return html`<code>save_for_backward</code>`;
  return how === "ctx_attribute" ? t("attribute of ctx") : t("variable from outside");
}

/** @param {SavedTensor["role"]} role */
function roleWords(role) {
  switch (role) {
    case "input":
      return t("input");
    case "output":
      return t("output");
    case "intermediate":
      return t("intermediate, neither input nor output");
    case "other":
      return t("from elsewhere");
  }
}

/** @param {SavedTensor} saved */
function versionWords({ version, version_now: now }) {
  if (now === null) return String(version);
  return now === version ? t("{version}, unchanged", { version }) : t("{version}, now {now}: changed in place", { version, now });
}

/** @param {SavedTensor} saved @param {boolean} ran */
function stateWords({ retained_after_backward: retained }, ran) {
  if (!ran) return t("backward did not run");
  return retained ? t("still kept") : t("freed");
}
