/** The script of the home page: its program, the lesson to continue with, and the questions to review. */

import "./plain.js";
import { orMissing } from "../components/page/missing-part.js";
import { t } from "../lib/words.js";
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

openBench("home", null, (cell, source) => ({ source, runtime: cell.facts.runtime, lang }));
markProgress(kept);
offer();
window.addEventListener("pageshow", ({ persisted }) => persisted && offer());
document.querySelector(".to-search a")?.addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("sought")?.focus();
});
document.querySelector('[data-action="reviews-off"]')?.addEventListener("click", () => {
  void orMissing(import("./end-reviews.js")).then((part) => part?.endReviews());
});
