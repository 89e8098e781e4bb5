/** The tools of the open program: load an example, choose a runtime, see earlier versions, download, share. */

import { html, nothing } from "lit";

import { EXAMPLES } from "../../lib/program/examples.js";
import { fileName } from "../../lib/program/file-name.js";
import { toNotebook } from "../../lib/program/notebook.js";
import { DEFAULT_RUNTIME, runtimeName } from "../../lib/run/runtimes.js";
import { encodeProgram } from "../../lib/program/share-link.js";
import { t } from "../../lib/words.js";
import { dropMenu } from "../page/drop-menu.js";
import { icon } from "../page/icons.js";
import { orMissing } from "../page/missing-part.js";
import { copy, download } from "../results/copy-download.js";

/** @typedef {import("../../state/programs/programs.js").Programs} Programs */

/** The longest address that all mail and chat programs preserve. */
const COMFORTABLE_CHARACTERS = 2000;

/** @param {Programs} programs */
export function programTools(programs) {
  const files = [
    { words: t("Python file (.py)"), act: () => downloadAs(programs, ".py") },
    { words: t("Jupyter notebook (.ipynb)"), act: () => downloadAs(programs, ".ipynb") },
  ];
  const face = (/** @type {"history" | "down" | "link"} */ name, /** @type {string} */ words) =>
    html`${icon(name)}<span class="roomy">${words}</span>`;
  return html`${dropMenu({ id: "examples", face: html`${t("Examples")}${icon("unfold")}` }, examples(programs))} ${runtimeChoice(programs)}
    <button class="ghost" type="button" aria-label=${t("History")} title=${t("History")} @click=${() => void lookBack(programs)}>
      ${face("history", t("History"))}
    </button>
    ${dropMenu({ id: "downloads", label: t("Download"), face: face("down", t("Download")) }, [{ choices: files }])}
    <button class="ghost" type="button" aria-label=${t("Share")} title=${t("Share")} @click=${() => void share(programs)}>
      ${face("link", t("Share"))}
    </button>`;
}

/** The examples, grouped by runtime. @param {Programs} programs */
function examples(programs) {
  return programs.runtimes.map((runtime) => ({
    ...(programs.runtimes.length > 1 ? { title: runtimeName(runtime) } : {}),
    choices: EXAMPLES.filter((one) => (one.runtime ?? DEFAULT_RUNTIME) === runtime).map((one) => ({
      words: one.name,
      act: () => programs.load(one),
    })),
  }));
}

/** @param {Programs} programs */
function runtimeChoice(programs) {
  const own = programs.program.value?.runtime ?? DEFAULT_RUNTIME;
  const names = [...new Set([...programs.runtimes, own])];
  if (names.length < 2) return nothing;
  const choose = (/** @type {Event} */ event) => programs.chooseRuntime(/** @type {HTMLSelectElement} */ (event.target).value);
  return html`<label
    ><span class="roomy">${t("Runtime")}</span>
    <select class="select" name="runtime" aria-label=${t("Runtime")} .value=${own} @change=${choose}>
      ${names.map((name) => html`<option value=${name} ?selected=${name === own}>${runtimeName(name)}</option>`)}
    </select></label
  >`;
}

/** @param {Programs} programs */
async function lookBack(programs) {
  const part = await orMissing(import("./program-history.js"));
  await part?.openHistory(programs);
}

/** @param {Programs} programs @param {".py" | ".ipynb"} ending */
function downloadAs(programs, ending) {
  const source = programs.cell.value?.text.value ?? "";
  const name = fileName(programs.program.value?.name ?? "", ending);
  if (ending === ".py") download(name, source, "text/x-python");
  else download(name, toNotebook(source), "application/x-ipynb+json");
}

/** @param {Programs} programs */
async function share(programs) {
  const { saying } = programs;
  const carried = programs.carried.value;
  if (!carried) return;
  try {
    const link = `${location.origin}/playground${await encodeProgram(carried)}`;
    if (!(await copy(link))) saying.value = { words: t("Copy this link:"), link, carried };
    else if (link.length <= COMFORTABLE_CHARACTERS)
      saying.value = { words: t("Link copied. It carries the program itself, as it is now."), carried };
    else
      saying.value = {
        words: t("Link copied. It is {count} characters long, and some mail and chat programs cut such links off; if so, send the file.", {
          count: link.length,
        }),
        carried,
      };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    saying.value = { words: t("This program is too long for a link. Download it and send the file."), carried };
  }
}
