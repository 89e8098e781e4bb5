/** The parts of a finding's card: its sentence, where the run failed, the stack frames, and the findings that follow from it. */

import { html, nothing } from "lit";

import { headline, sentenceOf, severityWords } from "../../lib/doctor/findings.js";
import { pieces, t } from "../../lib/words.js";
import { foreign, lineLink, placeLink, withCode, withException } from "../results/panel.js";

/**
 * @typedef {import("../../lib/doctor/findings.js").Finding} Finding
 * @typedef {import("../../state/cell-state.js").CellState} CellState
 * @typedef {import("../../lib/types.js").RunError} RunError
 */

/** The sentence of a finding; for an error that nothing explains, the error's message. @param {Finding} finding */
export function sentence(finding) {
  const error = finding.result?.error;
  if (finding.sentence || !error) return withCode(sentenceOf(finding));
  const message = headline(error);
  return message ? pieces("{message}", { message: foreign(message) }) : withException(sentenceOf(finding), error.type);
}

/**
 * A link to a piece of the program. If the piece is in another cell, the link's words name that cell.
 * @param {Finding["span"]} span
 * @param {CellState} cell
 */
export function spanLink(span, cell) {
  return span && cell.otherCell(span.cell) === null ? lineLink(span) : placeLink(span, cell);
}

/** Where a run failed, if not in its own cell, and the message of its exception. @param {Finding} finding @param {RunError} error @param {CellState} cell */
export function failureParts(finding, error, cell) {
  const { message } = error;
  const isSaid = !finding.sentence && message.trim().split("\n").length < 2;
  return html`${elsewhere(error, cell)}${definedIn(finding, error, cell)}
  ${
    isSaid || !message.trim()
      ? nothing
      : html`<details>
          <summary>${finding.sentence ? messageWords(error, finding) : t("The whole message")}</summary>
          <pre class="message" lang="en" tabindex="0">${message}</pre>
        </details>`
  }`;
}

/**
 * Words that say whether Python or a framework wrote the message. Python itself raises hardly any RuntimeError.
 * @param {RunError} error
 * @param {Finding} finding
 */
function messageWords({ type }, { result }) {
  return result?.runtime === "torch" && ["RuntimeError", "OutOfMemoryError", "GradcheckError"].includes(type)
    ? t("PyTorch’s message")
    : t("The message of the exception");
}

/** @param {RunError} error @param {CellState} cell */
function elsewhere(error, cell) {
  const other = cell.otherCell(error.cell);
  if (other === null) return nothing;
  return html`<p>
    ${pieces("It happened in {cell}, which runs first.", {
      cell: lineLink({ ...error, cell: other, line: error.line ?? 1 }, cell.page.nameOf(other)),
    })}
  </p>`;
}

/** Names the cell of this page that defines the name that this run lacked. @param {Finding} finding @param {RunError} error @param {CellState} cell */
function definedIn({ code }, { name }, cell) {
  const other = code === "earlier-run" && name ? cell.page.whoDefines(name, cell) : null;
  if (!other) return nothing;
  return html`<p>
    ${pieces("{name} is defined in {cell}, which this cell does not run first.", {
      name: html`<code>${name}</code>`,
      cell: lineLink({ cell: other.id, line: 1 }, cell.page.nameOf(other.id)),
    })}
  </p>`;
}

/** The stack frames, if there are several. @param {RunError["traceback"]} all @param {CellState} cell */
export function frames(all, cell) {
  if (all.length < 2) return nothing;
  return html`<details>
    <summary>${t("How it got there")}</summary>
    <ol class="finding-frames">
      ${all.map(
        (frame) =>
          html`<li>
            ${lineLink(frame)} ${cell.page.nameOf(cell.otherCell(frame.cell))} ${frame.function}<code>${frame.source.trim()}</code>
          </li>`,
      )}
    </ol>
  </details>`;
}

/** The findings that follow from a finding. @param {Finding[]} follows @param {CellState} cell */
export function followsPart(follows, cell) {
  return html`<details class="finding-follows">
    <summary>${follows.length === 1 ? t("1 more follows from this") : t("{count} more follow from this", { count: follows.length })}</summary>
    <ul>
      ${follows.map(
        (one) =>
          html`<li>
            <span class="unseen">${severityWords(one.severity)}: </span>${sentence(one)} ${spanLink(one.span, cell)}
            ${one.result?.error ? [failureParts(one, one.result.error, cell), frames(one.result.error.traceback, cell)] : nothing}
          </li>`,
      )}
    </ul>
  </details>`;
}
