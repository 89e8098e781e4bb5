/** Opens the list of keys on every page: by the button in the header, or by `?` unless the reader has switched that off. */

import { orMissing } from "../components/page/missing-part.js";
import { asksForHelp } from "../lib/shortcuts.js";
import { Settings } from "../state/settings.js";

/** The elements in which keys type or scroll, so that they are not shortcuts of the page. */
const OWN_KEYS = "input, textarea, select, [contenteditable='true'], dialog, run-results, run-output, pre";

export const settings = new Settings(() => window.localStorage);

/** Whether a key press belongs to the focused element rather than the page. @param {KeyboardEvent} event */
export function writes(event) {
  return event.target instanceof Element && event.target.closest(OWN_KEYS) !== null && event.target.closest(".cell.walking") === null;
}

async function show() {
  const part = await orMissing(import("../components/page/help-dialog.js"));
  part?.openHelp(settings);
}

document.querySelector('[data-action="help"]')?.addEventListener("click", () => void show());
document.addEventListener("keydown", (event) => {
  if (!settings.singleKeys.value || !asksForHelp(event, writes(event))) return;
  event.preventDefault();
  void show();
});
