/** What all panels share: they live in the page's own DOM, so that its styles and its ids reach them. */

import { html, LitElement, nothing } from "lit";

import { t } from "../lib/words.js";

export class Panel extends LitElement {
  /** @override */
  createRenderRoot() {
    return this;
  }
}

/** The line that made a display, as a link that moves the cursor there. @param {string | null} cell @param {number | null} line */
export function lineLink(cell, line) {
  if (!line) return nothing;
  /** @param {Event} event */
  const go = (event) => event.target?.dispatchEvent(new CustomEvent("go-to-line", { bubbles: true, detail: { cell, line, column: null } }));
  return html`<button class="link" type="button" @click=${go}>${t("line {line}", { line })}</button>`;
}
