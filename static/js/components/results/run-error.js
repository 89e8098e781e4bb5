/** An error: its type, meaning and place; PyTorch's whole message and the stack frames can be opened. */

import { html, nothing } from "lit";

import { outcomeMeaning } from "../../lib/run/run-words.js";
import { pieces, t } from "../../lib/words.js";
import { QUIET } from "../../state/run-state.js";
import { icon } from "../page/icons.js";
import { foreign, lineLink, withException } from "./panel.js";

/**
 * @typedef {import("../../state/cell-state.js").CellState} CellState
 * @typedef {import("../../lib/types.js").RunError} RunError
 */

/** Renders the error of the run that a cell shows. @param {CellState} cell */
export function errorOf(cell) {
  const { result } = cell.shown.value;
  if (!result || QUIET.includes(result.outcome)) return nothing;
  const { error } = result;
  const meaning = error?.explanation ?? outcomeMeaning(result);
  const rest = (error?.message ?? "").trim().split("\n").slice(1);
  return html`<div class="fault">
    ${icon("alert")}
    <div>
      ${error && (result.outcome === "raised" || !meaning) ? heading(error) : nothing} ${meaning ? html`<p>${meaning}</p>` : nothing}
      ${error ? [place(error, cell), definedIn(error, cell)] : nothing}
      ${
        rest.length
          ? html`<details>
              <summary>${t("The whole message")}</summary>
              <pre class="message" tabindex="0">${error?.message}</pre>
            </details>`
          : nothing
      }
      ${error && error.traceback.length > 1 ? frames(error.traceback, cell) : nothing}
    </div>
  </div>`;
}

/** The heading: the first line of the message. @param {RunError} error */
function heading({ type, message }) {
  const [first = ""] = message.trim().split("\n");
  const words = first
    ? pieces("{message}", { message: foreign(first.replace(/[,:]$/, "")) })
    : withException(t("{exception}, without a message", { exception: type }), type);
  return html`<p class="what" tabindex="-1">${words}</p>`;
}

/** @param {RunError} error @param {CellState} cell */
function place(error, cell) {
  const other = cell.otherCell(error.cell);
  if (other === null) return error.line ? html`<p>${lineLink(error)}</p>` : nothing;
  return html`<p>
    ${pieces("It happened in {cell}, which runs first.", {
      cell: lineLink({ ...error, cell: other, line: error.line ?? 1 }, cell.page.nameOf(other)),
    })}
  </p>`;
}

/** Names the cell of this page that defines the name that this run lacked. @param {RunError} error @param {CellState} cell */
function definedIn({ pitfall, name }, cell) {
  const other = pitfall === "earlier-run" && name ? cell.page.whoDefines(name, cell) : null;
  if (!other) return nothing;
  return html`<p>
    ${pieces("{name} is defined in {cell}, which this cell does not run first.", {
      name: html`<code>${name}</code>`,
      cell: lineLink({ cell: other.id, line: 1 }, cell.page.nameOf(other.id)),
    })}
  </p>`;
}

/** @param {RunError["traceback"]} frames @param {CellState} cell */
function frames(frames, cell) {
  return html`<details>
    <summary>${t("How it got there")}</summary>
    <ol class="frames">
      ${frames.map(
        (frame) =>
          html`<li>
            ${lineLink(frame)} ${cell.page.nameOf(cell.otherCell(frame.cell))} ${frame.function}<code>${frame.source.trim()}</code>
          </li>`,
      )}
    </ol>
  </details>`;
}
