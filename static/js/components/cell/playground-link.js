/**
 * A link that opens a lesson's cell in the playground, joined with the cells that it continues. It is an ordinary link, so it can be opened
 * in a new tab.
 */

import { html } from "lit";

import { joinProgram } from "../../lib/program/joined-program.js";
import { encodeProgram } from "../../lib/program/share-link.js";
import { t } from "../../lib/words.js";
import { icon } from "../page/icons.js";

/** @typedef {import("../../state/cell-state.js").CellState} CellState */

/** @param {CellState} cell */
export function playgroundLink(cell) {
  const prepare = async (/** @type {Event & {currentTarget: HTMLAnchorElement}} */ { currentTarget }) => {
    currentTarget.href = await playgroundAddress(cell);
  };
  /**
   * Computes the address anew on a plain click, because the text may have changed. With a modifier key the browser opens the address that
   * the link has.
   * @param {MouseEvent} event
   */
  const follow = async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    location.assign(await playgroundAddress(cell));
  };
  return html`<a class="ghost square" href=${address("")} aria-label=${t("Open in the playground")} title=${t("Open in the playground")}
    @pointerenter=${prepare} @focus=${prepare} @click=${follow}>${icon("away")}</a>`;
}

/** Returns the playground's address with a program made of this cell and the cells that it continues. @param {CellState} cell */
export async function playgroundAddress(cell) {
  const { page, facts } = cell;
  const parts = [...facts.after.flatMap((id) => page.find(id) ?? []), cell].map((one) => ({ ...one.facts, text: one.text.value }));
  return address(await encodeProgram({ name: facts.filename, source: joinProgram(parts), runtime: facts.runtime }).catch(() => ""));
}

/** @param {string} fragment */
function address(fragment) {
  return `/${document.documentElement.lang}/playground${fragment}`;
}
