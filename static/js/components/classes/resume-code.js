/** The buttons that copy, download and print a resume code, which is shown only once. */

import { t } from "../../lib/words.js";
import "../page/page-base.js";
import { copy, download } from "../results/copy-download.js";

/** @param {string} selector */
const read = (selector) => document.querySelector(selector)?.textContent?.trim() ?? "";

/** @param {string} words */
function say(words) {
  const said = document.querySelector(".resume-code .said-words");
  if (said) said.textContent = words;
}

/** @type {Record<string, () => void>} */
const ACTS = {
  copy: () => void copy(read("#code")).then((copied) => say(copied ? t("Copied") : t("Copying did not work. Write the code down."))),
  // whose it is, the code, and where it is typed
  download: () => download("gradroom-resume-code.txt", `${[".code-of", "#code", ".code-place"].map(read).join("\n")}\n`, "text/plain"),
  print: () => window.print(),
};

for (const [name, act] of Object.entries(ACTS)) {
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector(`[data-action="${name}-code"]`));
  if (!button) continue;
  button.addEventListener("click", act);
  button.disabled = false; // from now on a press does something
}
