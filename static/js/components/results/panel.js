/** What all panels share: how they are set, and that they live in the page's own DOM, so that its styles and its ids reach them. */

import { html, LitElement, nothing } from "lit";

import { t } from "../../lib/words.js";

export class Panel extends LitElement {
  /** @override */
  createRenderRoot() {
    return this;
  }
}

/**
 * What a record shows, under its heading. `end` stands at the heading's end.
 * @param {{label: string, heading?: unknown, end: unknown, filling?: boolean}} head
 * @param {unknown} body
 */
export function panel({ label, heading = label, end, filling = false }, body) {
  return html`<article class="panel ${filling ? "filling" : ""}" aria-label=${label}>
    <header><h3 tabindex="-1">${heading}</h3><span class="end">${end}</span></header>
    ${body}
  </article>`;
}

/**
 * @typedef {{cell: string | null, line: number | null, column?: number | null}} Place  where a span begins, an error happened, or a frame
 *   stood
 */

/** A line of a program, as a link that moves the cursor there. @param {Place | null} place @param {string} [words] */
export function lineLink(place, words) {
  if (!place?.line) return nothing;
  const { cell, line, column = null } = place;
  /** @param {Event} event */
  const go = (event) => event.target?.dispatchEvent(new CustomEvent("go-to-line", { bubbles: true, detail: { cell, line, column } }));
  return html`<button class="link line-link" type="button" @click=${go}>${words ?? t("line {line}", { line })}</button>`;
}

/** Words with the name of an exception's class, where they have it, set as code. @param {string} words @param {string} [exception] */
export function withException(words, exception = "") {
  const at = exception ? words.indexOf(exception) : -1;
  return at < 0 ? words : html`${words.slice(0, at)}<code lang="en">${exception}</code>${words.slice(at + exception.length)}`;
}

/** What a library or a program says, which is English as long as all its characters are ASCII. @param {string} text */
export function foreign(text) {
  return html`<span lang=${/^[\x00-\x7f]*$/.test(text) ? "en" : nothing}>${text}</span>`;
}

/** A button that is a drawing. @param {string} name @param {unknown} sign @param {() => void} act @param {boolean} [off] */
export function tool(name, sign, act, off = false) {
  return html`<button class="ghost" type="button" aria-label=${name} title=${name} ?disabled=${off} @click=${act}>${sign}</button>`;
}
