/**
 * Opens the search on every page: by the link in the header, by Ctrl+K, or by `/` unless the reader has switched that off. The dialog is
 * part of the page, so that it receives what is typed before the module that answers is loaded.
 */

import { effect } from "@preact/signals-core";

import { orMissing } from "../components/page/missing-part.js";
import { shorten } from "../lib/search-client.js";
import { asksForSearch } from "../lib/shortcuts.js";
import { settings, writes } from "./help.js";

const CONTROL = '[data-action="search"]';
const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("search"));

async function open() {
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("input")?.select();
  const part = await orMissing(import("../components/page/search-dialog.js"));
  part?.answerIn(dialog);
}

dialog.addEventListener("click", ({ target }) => {
  if (target === dialog || (target instanceof Element && target.closest("button.square"))) dialog.close(); // `dialog`: a press beside it
});
document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element && event.target.closest(CONTROL)) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  void open();
});
document.addEventListener("submit", ({ target }) => {
  if (!(target instanceof HTMLFormElement && target.matches('[role="search"]'))) return;
  for (const field of target.querySelectorAll("input")) field.value = shorten(field.value);
});
document.addEventListener("keydown", (event) => {
  if (!asksForSearch(event, writes(event) || !settings.singleKeys.value)) return;
  event.preventDefault();
  void open();
});
for (const control of document.querySelectorAll(CONTROL)) control.setAttribute("aria-haspopup", "dialog");
const key = /** @type {HTMLElement | null} */ (document.querySelector(`${CONTROL} kbd`));
effect(() => void (key && (key.hidden = !settings.singleKeys.value)));
