/** The script of the course map: the reader's progress, and the lesson to continue with. */

import "./plain.js";
import { t } from "../lib/words.js";
import { readLast, whereToGoOn } from "../state/tasks/progress.js";
import { readPage } from "./plain.js";
import { markProgress } from "./progress-marks.js";

/**
 * Offers the lesson that was read last in this browser, or else the one last recorded on the server, or if that one is done, the next that
 * is not.
 * @param {string} keptLast
 */
function offer(keptLast) {
  const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".path a[data-lesson]")]);
  const place = document.getElementById("continue");
  const last = readLast(() => window.localStorage) || keptLast;
  const begun = links.some((link) => link.dataset["lesson"] === last || link.matches(".tried, .done"));
  const lessons = links.map((link) => ({ link, path: link.dataset["lesson"] ?? "", done: link.matches(".done") }));
  const next = whereToGoOn(lessons, last)?.link;
  if (!place || !next) return;
  const button = document.createElement("a");
  button.className = "button";
  button.href = next.href;
  const title = next.querySelector(".path-title")?.textContent ?? "";
  button.textContent = begun ? t("Go on: {title}", { title }) : t("Begin: {title}", { title });
  place.replaceChildren(button);
  place.hidden = false;
}

const { kept } = readPage();
markProgress(kept);
offer(kept?.last ?? "");
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) offer(kept?.last ?? ""); // it reads the marks, which progress-marks.js has updated in an earlier listener
});
