/** The playground: one cell, and programs to begin with. */

import "./plain.js";
import { html, render } from "lit";

import { EXAMPLES } from "../lib/examples.js";
import { wellFormed } from "../lib/positions.js";
import { t } from "../lib/words.js";
import { Workbench } from "./workbench.js";

const bench = new Workbench("playground", (cell) => ({ source: wellFormed(cell.text) }), t("Write PyTorch here, or choose an example."));
const [cell] = bench.cells;
const place = document.getElementById("examples");

/** The chosen example takes the place of what is written; undo in the editor brings that back. @param {SubmitEvent} event */
function load(event) {
  event.preventDefault();
  const select = /** @type {HTMLSelectElement} */ (place?.querySelector("select"));
  const example = EXAMPLES[Number(select.value)];
  if (!example) return;
  cell?.editor.replace(example.source);
  cell?.editor.view.focus();
}

if (place) {
  render(
    html`<form @submit=${load}>
      <label>${t("Examples")}
        <select class="select">
          ${EXAMPLES.map((example, index) => html`<option value=${index}>${example.name}</option>`)}
        </select></label>
      <button class="ghost" type="submit">${t("Load")}</button>
    </form>`,
    place,
  );
}
