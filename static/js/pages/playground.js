/** The playground: one cell, the runtime that it runs in, and programs to begin with. */

import "./plain.js";
import { html, nothing, render } from "lit";

import { EXAMPLES } from "../lib/examples.js";
import { wellFormed } from "../lib/positions.js";
import { DEFAULT_RUNTIME, runtimeName } from "../lib/runtimes.js";
import { t } from "../lib/words.js";
import { openBench } from "./bench.js";
import { readPage } from "./plain.js";

const place = document.getElementById("examples");
const runtimes = (place?.dataset.runtimes ?? DEFAULT_RUNTIME).split(" ");
let runtime = DEFAULT_RUNTIME;

const { lang } = readPage();
const page = openBench("playground", (cell) => ({ source: wellFormed(cell.text.value), runtime, lang }));
const [cell] = page.cells;

/** The choice is kept as an edit is. */
const kept = page.drafts.restore("runtime", DEFAULT_RUNTIME);
if (kept.kind !== "starter" && runtimes.includes(kept.text)) runtime = kept.text;

/** @param {Event} event */
function choose(event) {
  runtime = /** @type {HTMLSelectElement} */ (event.target).value;
  page.drafts.keep("runtime", DEFAULT_RUNTIME, runtime);
  draw();
}

/** The chosen example takes the place of what is written; undo in the editor brings that back. @param {SubmitEvent} event */
function load(event) {
  event.preventDefault();
  const select = /** @type {HTMLSelectElement} */ (place?.querySelector("select[name=example]"));
  const example = examples()[Number(select.value)];
  if (!example) return;
  if (!cell) return;
  cell.edit(example.source);
  page.target.value = { cell };
}

function examples() {
  return EXAMPLES.filter((example) => (example.runtime ?? DEFAULT_RUNTIME) === runtime);
}

function draw() {
  if (!place) return;
  const choice = html`<label>${t("Runtime")}
    <select class="select" name="runtime" @change=${choose}>
      ${runtimes.map((name) => html`<option value=${name} ?selected=${name === runtime}>${runtimeName(name)}</option>`)}
    </select></label>`;
  render(
    html`<form @submit=${load}>
      ${runtimes.length > 1 ? choice : nothing}
      <label>${t("Examples")}
        <select class="select" name="example">
          ${examples().map((example, index) => html`<option value=${index}>${example.name}</option>`)}
        </select></label>
      <button class="ghost" type="submit">${t("Load")}</button>
    </form>`,
    place,
  );
}

draw();
