/** An error, at the code: what it is, what it means, where; PyTorch's whole message and the frames for who wants them. */

import { html, nothing } from "lit";

import { outcomeMeaning } from "../lib/run-words.js";
import { pieces, t } from "../lib/words.js";
import { QUIET } from "../state/run-state.js";
import { icon } from "./icons.js";
import { lineLink } from "./panel.js";
import { PageElement } from "./page-element.js";

/**
 * @typedef {import("../state/cell-state.js").CellState} CellState
 * @typedef {import("../lib/types.js").RunError} RunError
 * @typedef {RunError["traceback"][number]} Frame
 */

class RunErrorNote extends PageElement {
  /** @override */
  static properties = { cell: { attribute: false } };

  constructor() {
    super();
    /** @type {CellState | null} */
    this.cell = null;
  }

  /** @override */
  render() {
    const result = this.cell?.shown.value.result;
    if (!result || QUIET.includes(result.outcome)) return nothing;
    const { error } = result;
    const meaning = error?.explanation ?? outcomeMeaning(result);
    const [first = "", ...rest] = (error?.message ?? "").trim().split("\n");
    const heading = result.outcome === "raised" ? first.replace(/[,:]$/, "") || error?.type : meaning ? "" : first;
    return html`<div class="fault">
      ${icon("alert")}
      <div>
        ${heading ? html`<p class="what" tabindex="-1">${heading}</p>` : nothing} ${meaning ? html`<p>${meaning}</p>` : nothing} ${error ? [this.place(error), this.definedIn(error)] : nothing}
        ${rest.length ? html`<details><summary>${t("The whole message")}</summary><pre class="message" tabindex="0">${error?.message}</pre></details>` : nothing}
        ${error && error.traceback.length > 1 ? this.frames(error.traceback) : nothing}
      </div>
    </div>`;
  }

  /** @param {RunError} error */
  place(error) {
    const other = this.cell?.otherCell(error.cell) ?? null;
    if (other === null) return error.line ? html`<p>${lineLink(error)}</p>` : nothing;
    const cell = lineLink({ ...error, cell: other, line: error.line ?? 1 }, this.cell?.page.nameOf(other));
    return html`<p>${pieces("It happened in {cell}, which runs first.", { cell })}</p>`;
  }

  /** Where on this page a name is defined that this run did not have. @param {RunError} error */
  definedIn({ stumble, name }) {
    const cell = this.cell && stumble === "earlier-run" && name ? this.cell.page.whoDefines(name, this.cell) : null;
    if (!cell || !this.cell) return nothing;
    return html`<p>${pieces("{name} is defined in {cell}, which this cell does not run first.", { name: html`<code>${name}</code>`, cell: lineLink({ cell: cell.id, line: 1 }, this.cell.page.nameOf(cell.id)) })}</p>`;
  }

  /** @param {Frame[]} frames */
  frames(frames) {
    return html`<details>
      <summary>${t("How it got there")}</summary>
      <ol class="frames">
        ${frames.map(
          (frame) =>
            html`<li>${lineLink(frame)}
              ${this.cell?.page.nameOf(this.cell.otherCell(frame.cell))} ${frame.function}<code>${frame.source.trim()}</code></li>`,
        )}
      </ol>
    </details>`;
  }
}

customElements.define("run-error", RunErrorNote);
