/** The way from a lesson's cell to the playground, with the cells that it continues; an ordinary link, also for a new tab. */

import { html, nothing } from "lit";

import { joinProgram } from "../lib/joined-program.js";
import { encodeProgram } from "../lib/share-link.js";
import { t } from "../lib/words.js";
import { icon } from "./icons.js";
import { PageElement } from "./page-element.js";

/** @typedef {import("../state/cell-state.js").CellState} CellState */

class PlaygroundLink extends PageElement {
  /** @override */
  static properties = { cell: { attribute: false }, href: { state: true } };

  constructor() {
    super();
    /** @type {CellState | null} */
    this.cell = null;
    this.href = address("");
  }

  /** @override */
  render() {
    const { cell } = this;
    if (!cell) return nothing;
    const prepare = () => void this.prepare(cell);
    return html`<a class="ghost square" href=${this.href} aria-label=${t("Open in the playground")} title=${t("Open in the playground")}
      @pointerenter=${prepare} @focus=${prepare} @click=${(/** @type {MouseEvent} */ event) => this.follow(event, cell)}>${icon("away")}</a>`;
  }

  /** @param {CellState} cell */
  async prepare(cell) {
    return (this.href = await playgroundAddress(cell));
  }

  /** The text may have changed since the link was made; with a modifier the browser opens what is there. @param {MouseEvent} event @param {CellState} cell */
  async follow(event, cell) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    location.assign(await this.prepare(cell));
  }
}

/** With the cell's program and those before it. @param {CellState} cell */
export async function playgroundAddress(cell) {
  const { page, facts } = cell;
  const parts = [...facts.after.flatMap((id) => page.find(id) ?? []), cell].map((one) => ({ ...one.facts, text: one.text.value }));
  return address(await encodeProgram({ name: facts.filename, source: joinProgram(parts), runtime: facts.runtime }).catch(() => ""));
}

/** @param {string} fragment */
function address(fragment) {
  return `/${document.documentElement.lang}/playground${fragment}`;
}

customElements.define("playground-link", PlaygroundLink);
