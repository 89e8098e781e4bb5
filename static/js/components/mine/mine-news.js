/** Confirms, after the page was reloaded, that the reader's work was deleted or removed from this browser. */

import { html, nothing } from "lit";

import { t } from "../../lib/words.js";
import { icon } from "../page/icons.js";
import { MineElement } from "../page/page-element.js";

class MineNews extends MineElement {
  /** @override */
  static properties = { done: { state: true } };

  constructor() {
    super();
    this.done = "";
  }

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    const done = location.hash.slice(1);
    if (!["left", "deleted"].includes(done)) return;
    this.done = done;
    history.replaceState(null, "", location.pathname + location.search);
  }

  /** @override */
  render() {
    if (!this.done || this.mine?.known?.made_ms !== null) return nothing; // it is confirmed only if the server agrees
    const words =
      this.done === "deleted"
        ? t("Everything is deleted. Nothing of yours is kept, neither on the server nor in this browser.")
        : t("This browser has forgotten you. Whoever comes next begins with nothing.");
    return html`<p class="callout note done" role="status" tabindex="-1">
      ${icon("pass")}<span>${words}</span> <a href="/${document.documentElement.lang}/map">${t("Course map")}</a>
    </p>`;
  }

  /** @override */
  updated() {
    /** @type {HTMLElement | null} */ (this.querySelector(".done"))?.focus();
  }
}

customElements.define("mine-news", MineNews);
