/**
 * Keeps the cursor out from under the page's header and the head of the cell, which stay at the top while a long cell is scrolled. The
 * browser's own scrolling knows of the header by `scroll-padding-top`; CodeMirror's does not.
 */

import { EditorView } from "@codemirror/view";

export const coveredTop = EditorView.scrollMargins.of(({ dom }) => {
  const header = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  const head = dom.closest(".cell-body")?.querySelector(".cell-head");
  return { top: header + (head instanceof HTMLElement ? head.offsetHeight : 0) };
});
