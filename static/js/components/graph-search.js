/** Search among the nodes of a graph, by name, kind or id. It tells by `graph-search` what was written, and by `graph-match` to which of the matches one goes. */

import { html, nothing } from "lit";

import { next } from "../lib/graph-search.js";
import { t } from "../lib/words.js";
import { icon } from "./icons.js";
import { Panel, tool } from "./panel.js";

class GraphSearch extends Panel {
  /** @override */
  static properties = { words: { attribute: false }, count: { attribute: false }, at: { attribute: false } };

  constructor() {
    super();
    this.words = "";
    this.count = 0;
    /** Of the matches, from 0; -1 before the first. */
    this.at = -1;
  }

  /** @override */
  render() {
    const searching = this.words.trim() !== "";
    return html`<search class="graph-search">
      <input type="search" .value=${this.words} aria-label=${t("Search the nodes by name, kind or id")} placeholder=${t("Name, kind or id")} @input=${this.onInput} @keydown=${this.onKey} />
      <span class="count" role="status">${searching ? this.found() : nothing}</span>
      ${searching ? html`${tool(t("Previous match"), icon("up"), () => this.go(-1), !this.count)}${tool(t("Next match"), icon("next"), () => this.go(1), !this.count)}` : nothing}
    </search>`;
  }

  found() {
    if (!this.count) return t("nothing found");
    return this.at < 0 ? t("{count} found", { count: this.count }) : t("{place} of {count}", { place: this.at + 1, count: this.count });
  }

  /** @param {InputEvent} event */
  onInput(event) {
    this.dispatchEvent(new CustomEvent("graph-search", { detail: /** @type {HTMLInputElement} */ (event.target).value }));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key === "Enter" && !event.isComposing) this.go(event.shiftKey ? -1 : 1);
    if (event.key === "Escape" && this.words) {
      event.stopPropagation();
      this.dispatchEvent(new CustomEvent("graph-search", { detail: "" }));
    }
  }

  /** @param {number} step */
  go(step) {
    if (this.count) this.dispatchEvent(new CustomEvent("graph-match", { detail: next(this.at, step, this.count) }));
  }
}

customElements.define("graph-search", GraphSearch);
