/** The frame of all panels. Panels render into the page's own DOM, so that the page's styles and ids apply to them. */

import { html, LitElement, nothing } from "lit";

import { t } from "../../lib/words.js";

export class Panel extends LitElement {
  /** @override */
  createRenderRoot() {
    return this;
  }
}

/**
 * The panel of a record: a heading, with `end` at the end of its line, and the content below.
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
 * @typedef {{cell: string | null, line: number | null, column?: number | null}} Place  the start of a span, or the place of an error
 *   or a stack frame
 */

/** A link that moves the cursor to a line of a program. @param {Place | null} place @param {string} [words] */
export function lineLink(place, words) {
  if (!place?.line) return nothing;
  const { cell, line, column = null } = place;
  /** @param {Event} event */
  const go = (event) => event.target?.dispatchEvent(new CustomEvent("go-to-line", { bubbles: true, detail: { cell, line, column } }));
  return html`<button class="link line-link" type="button" @click=${go}>${words ?? t("line {line}", { line })}</button>`;
}

/**
 * A link to a span. If the span is in another cell than the one whose result is shown, the link's words name that cell.
 * @param {import("../../lib/types.js").Span | null | undefined} span
 * @param {import("../../state/cell-state.js").CellState | null} shown
 */
export function placeLink(span, shown) {
  if (!span) return nothing;
  const other = span.cell && shown && span.cell !== shown.id ? shown.page.numberOf(span.cell) : "";
  return lineLink(span, other ? t("line {line} of {cell}", { line: span.line, cell: other }) : undefined);
}

/**
 * Words in which the name of an exception's class, if they contain it, is set as code.
 * @param {string} words
 * @param {string} [exception]
 */
export function withException(words, exception = "") {
  const at = exception ? words.indexOf(exception) : -1;
  return at < 0 ? words : html`${words.slice(0, at)}<code lang="en">${exception}</code>${words.slice(at + exception.length)}`;
}

/** A text of a library or a program. It is marked as English if all its characters are ASCII. @param {string} text */
export function foreign(text) {
  return html`<span lang=${/^[\x00-\x7f]*$/.test(text) ? "en" : nothing}>${text}</span>`;
}

/** Words in which the text between backticks is set as code. @param {string} words */
export function withCode(words) {
  return words.split("`").map((piece, at) => (at % 2 ? html`<code>${piece}</code>` : piece));
}

const POINTED_MS = 1600;

/**
 * Opens the parts in which an element is folded, scrolls to it, highlights it for a moment, and focuses its heading or itself.
 * @param {HTMLElement} found
 */
export function pointAt(found) {
  for (const fold of [found.closest("details"), found.querySelector(":scope > details.check")]) fold?.setAttribute("open", "");
  found.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  const heading = /** @type {HTMLElement | null} */ (found.querySelector("summary, h3, .what"));
  (heading ?? found).focus({ preventScroll: true });
  found.classList.add("pointed");
  setTimeout(() => found.classList.remove("pointed"), POINTED_MS);
}

/** A button that shows an icon. @param {string} name @param {unknown} sign @param {() => void} act @param {boolean} [off] */
export function tool(name, sign, act, off = false) {
  return html`<button class="ghost" type="button" aria-label=${name} title=${name} ?disabled=${off} @click=${act}>${sign}</button>`;
}
