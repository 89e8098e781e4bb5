/** The script of the pages of a class's learners: the resume code, times of this place, and what leaves this browser with its reader. */

import "./plain.js";
import { orMissing } from "../components/page/missing-part.js";
import { copy, download } from "../components/results/copy-download.js";
import { t } from "../lib/words.js";
import { KEY, LEAVING } from "./left.js";
import { showTimes } from "./local-times.js";
import { readPage } from "./plain.js";
import { markProgress } from "./progress-marks.js";

/** @param {string} selector @returns {HTMLElement | null} */
const find = (selector) => document.querySelector(selector);

/** What is kept of a resume code: whose it is, the code, and where it is typed. */
function codeText() {
  return [find(".code-of"), find("#code"), find(".code-place")].map((line) => line?.textContent?.trim() ?? "").join("\n");
}

/** @param {string} words */
function say(words) {
  const said = find(".said");
  if (said) said.textContent = words;
}

find('[data-action="copy-code"]')?.addEventListener("click", async () => {
  say((await copy(find("#code")?.textContent ?? "")) ? t("Copied") : t("Copying did not work. Write the code down."));
});
find('[data-action="download-code"]')?.addEventListener("click", () =>
  download("gradroom-resume-code.txt", `${codeText()}\n`, "text/plain"),
);
find('[data-action="print-code"]')?.addEventListener("click", () => window.print());

/** Stops other tabs, so that none of them sends this reader's work as that of the next. @param {string | null} value */
function mark(value) {
  try {
    if (value === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, value);
  } catch {
    // Without storage there is nothing that other tabs could send.
  }
}

/** The reader of this browser has changed, or has not: clears what the browser stores of the earlier one. */
async function endLeaving() {
  let leaving = false;
  try {
    leaving = localStorage.getItem(KEY) === LEAVING;
  } catch {
    // As above.
  }
  if (!leaving) return;
  if (find('[data-leaving="done"]')) await (await orMissing(import("../state/saving/this-browser.js")))?.clearBrowser();
  else mark(null);
}

for (const form of document.querySelectorAll("form[data-leaves]")) form.addEventListener("submit", () => mark(LEAVING));
window.addEventListener("pageshow", ({ persisted }) => persisted && void endLeaving());
if (location.search === "?new") history.replaceState(history.state, "", location.pathname);
showTimes();
void endLeaving().then(() => markProgress(readPage().kept ?? null));
