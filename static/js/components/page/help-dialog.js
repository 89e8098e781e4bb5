/** The help dialog: the list of keys and its settings, or on touch devices, what to tap. `?` or the button in the header opens it. */

import { html, render } from "lit";

import { t } from "../../lib/words.js";
import { icon } from "./icons.js";

/** @type {HTMLDialogElement | null} */
let dialog = null;

/** @param {import("../../state/settings.js").Settings} settings */
export function openHelp(settings) {
  if (!dialog) {
    dialog = document.createElement("dialog");
    dialog.setAttribute("aria-labelledby", "help-title");
    document.body.append(dialog);
    render(content(dialog, settings), dialog);
  }
  if (!dialog.open) dialog.showModal();
}

/** @param {HTMLDialogElement} self @param {import("../../state/settings.js").Settings} settings */
function content(self, settings) {
  /** @param {import("@preact/signals-core").Signal<boolean>} choice @param {string} words */
  const box = (choice, words) =>
    html`<label class="choice-line"
      ><input
        type="checkbox"
        .checked=${choice.value}
        @change=${(/** @type {Event} */ event) => (choice.value = /** @type {HTMLInputElement} */ (event.target).checked)}
      />${words}</label
    >`;
  const answers = box(settings.showsAnswers, t("Show at once what cells show and what changes come to"));
  const rest = html`<p>
    ${t("Every run is a fresh process: nothing is left over from the run before. A cell that continues another runs that one first.")}
    <a href="/${document.documentElement.lang}/what-works">${t("What works here")}</a>
  </p>`;
  const head = (/** @type {string} */ title) =>
    html`<button class="ghost square close" type="button" aria-label=${t("Close")} @click=${() => self.close()}>${icon("close")}</button>
      <h2 id="help-title">${title}</h2>`;
  if (matchMedia("(hover: none) and (pointer: coarse)").matches) {
    return html`${head(t("Help"))}
      <ul>
        ${touches().map((words) => html`<li>${words}</li>`)}
      </ul>
      <p>${answers}</p>
      ${rest}`;
  }
  const keys = [
    [["Shift", "Enter"], t("run the cell and go on to the next")],
    [["Ctrl / ⌘", "Enter"], t("run the cell and stay")],
    [["Ctrl / ⌘", "Enter"], t("in an exercise: submit it")],
    [["Esc", "↑ ↓"], t("go from cell to cell; Enter edits")],
    [["Ctrl / ⌘", "."], t("stop the running cell")],
    [["Ctrl", "Space"], t("in the editor: complete the name; Enter accepts (also Alt /)")],
    [["Ctrl / ⌘", "I"], t("in the editor: about the name at the cursor; again: to its documentation link")],
    [["Esc", "Tab"], t("leave the editor, one key after the other")],
    [["Page Down"], t("at the end of the page: next lesson")],
    [["Page Up"], t("at its start: previous lesson")],
    [["+", "−", "1", "0"], t("zoom the graph that has the focus, show its actual size, fit it")],
    [["Enter", "↑", "↓"], t("select a node of that graph, and walk along its edges")],
    [["/"], t("search")],
    [["Ctrl / ⌘", "K"], t("search, from the editor too")],
    [["?"], t("this list")],
  ];
  return html`${head(t("Keys"))}
    <dl>
      ${keys.map(
        ([names, meaning]) =>
          html`<dt>${/** @type {string[]} */ (names).map((name) => html`<kbd>${name}</kbd> `)}</dt>
            <dd>${meaning}</dd>`,
      )}
    </dl>
    <p>
      ${box(settings.movesOn, t("Shift+Enter goes on to the next cell"))}${box(
        settings.singleKeys,
        t("Single keys, such as ?, are shortcuts"),
      )}${answers}
    </p>
    ${rest}`;
}

/** The help for touch devices. */
function touches() {
  return [
    t("Tap Run above a cell: how it ended stands beside it, what was printed below the code, graphs and checks below that."),
    t("Tap the code to edit it. What you write is kept. The three dots above it lead to earlier versions and to the cell as it was given."),
    t("In an exercise, tap Submit to have it checked. Hints are below it."),
    t("Tap a dotted word to see what it means."),
    t("Move and zoom a graph with two fingers; tap a node to see more about it."),
  ];
}
