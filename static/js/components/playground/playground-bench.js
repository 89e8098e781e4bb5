/** The playground: the open program, messages about it, and its cell. Each program has its own editor. */

import { html, nothing } from "lit";
import { keyed } from "lit/directives/keyed.js";

import { t } from "../../lib/words.js";
import { PageElement } from "../page/page-element.js";
import "../cell/code-cell.js";
import "./program-chooser.js";
import { programNotes } from "./program-note.js";
import { programTools } from "./program-tools.js";
import "../results/run-results.js";

class PlaygroundBench extends PageElement {
  /** @override */
  static properties = { programs: { attribute: false } };

  constructor() {
    super();
    /** @type {import("../../state/programs/programs.js").Programs | null} */
    this.programs = null;
  }

  /** @override */
  render() {
    const cell = this.programs?.cell.value;
    if (!this.programs || !cell) return nothing;
    return html`<div class="program-bar" role="group" aria-label=${t("Program")}>
        <program-chooser .programs=${this.programs}></program-chooser>
        <div class="program-tools">${programTools(this.programs)}</div>
      </div>
      ${programNotes(this.programs)}
      ${keyed(
        cell.id,
        html`<code-cell data-cell=${cell.id} .cell=${cell}></code-cell><run-results data-cell=${cell.id} .cell=${cell}></run-results>`,
      )}`;
  }
}

customElements.define("playground-bench", PlaygroundBench);
