/** The script of the home page: its program, where the reader goes on, and the questions to review. */

import "./plain.js";
import { setReviews } from "../lib/me/me-client.js";
import { failureWords } from "../lib/me/me-words.js";
import { pieces, t } from "../lib/words.js";
import { judge, readLast, readProgress, whereToGoOn } from "../state/tasks/progress.js";
import { openBench } from "./bench.js";
import { readPage } from "./plain.js";
import { markProgress } from "./progress-marks.js";

const { lang, kept, lessons = [] } = readPage();
const open = () => window.localStorage;

/** If this browser has read a lesson, offers that one, or the next that is not done. Otherwise, the server's link remains. */
function offer() {
  const last = readLast(open);
  const link = /** @type {HTMLAnchorElement} */ (document.querySelector(".go-on a"));
  document.documentElement.toggleAttribute("data-returning", last !== "");
  if (!last) return;
  const progress = readProgress(open);
  const next = whereToGoOn(
    lessons.map(([path, title, parts]) => ({ path, title, done: judge(progress[path], parts).state === "done" })),
    last,
  );
  link.href = `/${lang}/${next?.path ?? "map"}`;
  link.textContent = next ? t("Go on: {title}", { title: next.title }) : t("Course map");
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
  way.href = `/${lang}/mine#review-title`;
  way.textContent = t("My work");
  const words = pieces("These questions are off now. Turn them on again under {page}.", { page: way });
  told.append(...words);
  way.focus();
}

openBench("home", null, (cell, source) => ({ source, runtime: cell.facts.runtime, lang }));
markProgress(kept);
offer();
window.addEventListener("pageshow", ({ persisted }) => persisted && offer());
document.querySelector('[data-action="reviews-off"]')?.addEventListener("click", () => void endReviews());
