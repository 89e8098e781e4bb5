/** What a run printed, and between the lines the places where it showed something. */

import { html, nothing } from "lit";

import { IDLE } from "../state/run-state.js";
import { t } from "../lib/words.js";
import { Panel } from "./panel.js";
import { name } from "./records.js";

/**
 * @typedef {import("../state/run-state.js").RunState} RunState
 * @typedef {import("../state/run-state.js").Piece} Piece
 */

class RunOutput extends Panel {
  /** @override */
  static properties = { state: { attribute: false } };

  constructor() {
    super();
    /** @type {RunState} */
    this.state = IDLE;
  }

  /** @override */
  render() {
    const { pieces, result } = this.state;
    if (!pieces.some((piece) => "stream" in piece)) return pieces.length ? html`<div class="output quiet">${pieces.map((piece) => this.piece(piece))}</div>` : nothing;
    const cut = result?.stdout_truncated || result?.stderr_truncated;
    return html`<div class="output" tabindex="0" role="region" aria-label=${t("Printed")}>${pieces.map((piece) => this.piece(piece))}${cut
        ? html`<div class="cut">${t("Cut off here: a run may print no more than this.")}</div>`
        : nothing}</div>`;
  }

  /** @param {Piece} piece */
  piece(piece) {
    if ("stream" in piece) return html`<span class=${piece.stream}>${piece.text}</span>`;
    const display = this.state.displays[piece.display];
    if (!display) return nothing;
    const show = () => this.dispatchEvent(new CustomEvent("show-display", { bubbles: true, detail: { index: piece.display } }));
    return html`<button class="shown" type="button" @click=${show}>${name(display)}</button>`;
  }
}

customElements.define("run-output", RunOutput);
