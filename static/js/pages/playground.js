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

/** An example takes the place of what is written; undo in the editor brings that back. @param {Event} event */
function choose(event) {
  const select = /** @type {HTMLSelectElement} */ (event.target);
  const example = EXAMPLES[Number(select.value)];
  select.value = "";
  if (example) cell?.editor.replace(example.source);
  cell?.editor.view.focus();
}

if (place) {
  render(
    html`<label>${t("Examples")}
      <select class="select" @change=${choose}>
        <option value="" selected>${t("Choose…")}</option>
        ${EXAMPLES.map((example, index) => html`<option value=${index}>${example.name}</option>`)}
      </select></label>`,
    place,
  );
}
