/** The script of the pages of a class's learners: the resume code, and what leaves this browser with its reader. */

import "./plain.js";
import { orMissing } from "../components/page/missing-part.js";
import { isChanging, KEY } from "./left.js";
import { readPage } from "./plain.js";
import { markProgress } from "./progress-marks.js";

/** @param {string} selector @returns {HTMLElement | null} */
const find = (selector) => document.querySelector(selector);

/** Stops other tabs, so that none of them sends this reader's work as that of the next. @param {string | null} value */
function mark(value) {
  try {
    if (value === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, value);
  } catch {
    // Without storage there is nothing that other tabs could send.
  }
}

/** Ends the leaving that a form began: if the page says that it succeeded, clears what the browser stores of the reader who left. */
async function endLeaving() {
  let leaving = false;
  try {
    leaving = isChanging(localStorage.getItem(KEY));
  } catch {
    // As above.
  }
  if (!leaving) return;
  if (find('[data-leaving="done"]')) await (await orMissing(import("./clear-browser.js")))?.clearBrowser();
  else mark(null);
}

if (find(".resume-code")) void orMissing(import("../components/classes/resume-code.js"));
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-leaves]"))) {
  form.addEventListener("submit", () => mark(form.dataset["leaves"] ?? null));
}
window.addEventListener("pageshow", ({ persisted }) => persisted && void endLeaving());
if (location.search === "?new") history.replaceState(history.state, "", location.pathname);
void endLeaving().then(() => markProgress(readPage().kept ?? null));
