/** The list of keys, opened by `?` or by the button in the header. */

import { html, render } from "lit";

import { t } from "../lib/words.js";
import { icon } from "./icons.js";

/** @type {HTMLDialogElement | null} */
let dialog = null;

export function openHelp() {
  if (!dialog) {
    dialog = document.createElement("dialog");
    dialog.setAttribute("aria-labelledby", "help-title");
    document.body.append(dialog);
    render(content(dialog), dialog);
  }
  dialog.showModal();
}

/** @param {HTMLDialogElement} self */
function content(self) {
  const keys = [
    [["Shift", "Enter"], t("run the cell")],
    [["Ctrl / ⌘", "."], t("stop the running cell")],
    [["Esc", "Tab"], t("leave the editor, one key after the other")],
    [["Page Down"], t("at the end of the page: next lesson")],
    [["Page Up"], t("at its start: previous lesson")],
    [["+", "−", "1", "0"], t("zoom the graph that has the focus, show its actual size, fit it")],
    [["Enter", "↑", "↓"], t("select a node of that graph, and walk along its edges")],
    [["?"], t("this list")],
  ];
  return html`<button class="ghost square close" type="button" aria-label=${t("Close")} @click=${() => self.close()}>${icon("close")}</button>
    <h2 id="help-title">${t("Keys")}</h2>
    <dl>
      ${keys.map(([names, meaning]) => html`<dt>${/** @type {string[]} */ (names).map((name) => html`<kbd>${name}</kbd> `)}</dt><dd>${meaning}</dd>`)}
    </dl>
    <p>${t("Every run is a fresh process: nothing is left over from the run before. A cell that continues another runs that one first.")}</p>`;
}
