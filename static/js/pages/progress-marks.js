/** Marks the reader's progress in lists of lessons, from the server's records and the browser's. */

import { t } from "../lib/words.js";
import { countHelped, judge, readStandings, takeIn, takeHelped } from "../state/tasks/progress.js";
import { noteUnreported } from "../state/saving/unreported.js";

/**
 * @typedef {object} CourseKept  what the server stores of the course (docs/decisions/0030)
 * @property {Record<string, string[]>} done
 * @property {Record<string, number>} helped
 * @property {string | null} last
 * @property {boolean} reviews
 * @property {Record<string, Record<string, string>>} [standings] only on the page "My work"
 */

const open = () => window.localStorage;

window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) markProgress(); // a page from the back/forward cache has its old marks
});

/** @param {Partial<CourseKept> | null} [kept] the server's records, which the browser stores, so that every page shows them */
export function markProgress(kept = null) {
  if (kept?.done) noteUnreported(open); // what the server has need not be reported to it
  const progress = takeIn(open, kept?.done ?? {});
  const known = takeHelped(open, kept?.helped ?? {});
  const helpedHere = countHelped(readStandings(open));
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("a[data-lesson]"))) {
    const path = link.dataset["lesson"] ?? "";
    const parts = Number(link.dataset["parts"]);
    const { state, share } = judge(progress[path], parts);
    const helped = Math.max(known[path] ?? 0, helpedHere[path] ?? 0);
    link.classList.toggle("lesson-tried", state === "tried");
    link.classList.toggle("lesson-done", state === "done");
    link.classList.toggle("lesson-helped", helped > 0);
    link.style.setProperty("--done", `${Math.round(share * 100)}%`);
    const words = link.querySelector(".progress");
    if (words) words.textContent = progressWords(state, Math.round(share * parts), parts);
    const aside = link.querySelector(".helped-words");
    if (aside) aside.textContent = helped ? helpedWords(helped) : "";
  }
  for (const chapter of document.querySelectorAll(".chapter")) markChapter(chapter);
}

/** @param {"new" | "tried" | "done"} state @param {number} done @param {number} parts */
function progressWords(state, done, parts) {
  if (state === "new") return "";
  return state === "done" ? t("all done") : t("{done} of {parts} done", { done, parts });
}

/** @param {number} count */
function helpedWords(count) {
  return count === 1
    ? t("one exercise passed after seeing the solution")
    : t("{count} exercises passed after seeing the solution", { count });
}

/** Shows how many lessons of a chapter are done, once one was begun. @param {Element} chapter */
function markChapter(chapter) {
  const words = chapter.querySelector(".chapter-done");
  if (!words) return;
  const lessons = chapter.querySelectorAll("a[data-lesson]").length;
  const begun = chapter.querySelector("a:is(.lesson-tried, .lesson-done)") !== null;
  words.textContent = begun ? t("{done} of {parts} done", { done: chapter.querySelectorAll("a.lesson-done").length, parts: lessons }) : "";
}
