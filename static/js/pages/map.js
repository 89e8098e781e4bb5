/** The script of the course map: the reader's progress, the lesson to continue with, and the questions to review. */

import "./plain.js";
import { setReviews } from "../lib/me/me-client.js";
import { failureWords } from "../lib/me/me-words.js";
import { pieces, t } from "../lib/words.js";
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

/** Switches the review questions off and hides them. A message says where to switch them on again. */
async function endReviews() {
  const section = /** @type {HTMLElement} */ (document.getElementById("reviews"));
  const told = /** @type {HTMLElement} */ (section.querySelector("[role=status]"));
  const answer = await setReviews(false);
  told.textContent = answer.ok ? "" : failureWords(answer);
  if (!answer.ok) return;
  section.classList.add("off");
  const way = document.createElement("a");
  way.href = `/${document.documentElement.lang}/mine#review-title`;
  way.textContent = t("My work");
  const words = pieces("These questions are off now. Turn them on again under {page}.", { page: way });
  told.append(...words);
  way.focus();
}

const { kept } = readPage();
markProgress(kept);
offer(kept?.last ?? "");
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) offer(kept?.last ?? ""); // it reads the marks, which progress-marks.js has updated in an earlier listener
});
document.querySelector('[data-action="reviews-off"]')?.addEventListener("click", () => void endReviews());
