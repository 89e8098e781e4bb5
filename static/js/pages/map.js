/** The script of the course map, of a chapter's page and of a path's: the reader's progress, the folds, and where to continue. */

import "./plain.js";
import { t } from "../lib/words.js";
import { readLast, whereToGoOn } from "../state/tasks/progress.js";
import { readPage } from "./plain.js";
import { markProgress } from "./progress-marks.js";
import { turnPage } from "./turning.js";

/** @param {ParentNode} part @returns {HTMLAnchorElement[]} */
const linksIn = (part) => [...part.querySelectorAll(/** @type {"a"} */ ("a[data-lesson]"))];
/** @param {HTMLAnchorElement} link */
const isDone = (link) => link.matches(".lesson-done");

/** Makes `button` a link to a lesson. @param {HTMLAnchorElement} button @param {HTMLAnchorElement} next @param {boolean} begun */
function pointTo(button, next, begun) {
  button.href = next.href;
  const title = next.querySelector(".path-title")?.textContent ?? "";
  button.textContent = begun ? t("Go on: {title}", { title }) : t("Begin: {title}", { title });
}

/**
 * Offers the lesson that was read last in this browser, or else the one last recorded on the server, or if that one is done, the next that
 * is not.
 * @param {string} last
 */
function offer(last) {
  const place = document.getElementById("continue");
  const links = linksIn(document);
  const lessons = links.map((link) => ({ link, path: link.dataset["lesson"] ?? "", done: isDone(link) }));
  const next = whereToGoOn(lessons, last)?.link;
  if (!place || !next) return;
  const button = document.createElement("a");
  button.className = "button";
  pointTo(
    button,
    next,
    links.some((link) => link.dataset["lesson"] === last || link.matches(".lesson-tried, .lesson-done")),
  );
  place.replaceChildren(button);
  place.hidden = false;
}

/** Makes each path's button a link to the first of its lessons that is not done. */
function offerOnPaths() {
  for (const button of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".go-on a"))) {
    const links = linksIn(/** @type {Element} */ (button.closest(".chapter")));
    const next = links.find((link) => !isDone(link));
    if (next)
      pointTo(
        button,
        next,
        links.some((link) => link.matches(".lesson-tried, .lesson-done")),
      );
    button.hidden = !next;
  }
}

const folds = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll("details.chapter-fold")]);

/**
 * Opens only the fold that the address names, or else the one with the lesson that was read last in this browser. If there is neither, the
 * fold stays that the server opened.
 * @param {string} last
 */
function openCurrent(last) {
  const current = named()?.parentElement ?? folds.find((fold) => linksIn(fold).some((link) => link.dataset["lesson"] === last));
  if (current) for (const fold of folds) fold.open = fold === current;
}

/** Remembers with the page's place in the history which folds are open, so that Back finds them so. */
function rememberFolds() {
  history.replaceState({ open: folds.map((fold) => fold.open) }, "");
}

/** Opens the folds that were open when the reader left this page. Returns false if this is the first visit. */
function restoreFolds() {
  const open = history.state?.open;
  if (!Array.isArray(open)) return false;
  for (const [place, fold] of folds.entries()) fold.open = open[place] === true;
  return true;
}

/** The part of a fold that the address names. */
const named = () => document.getElementById(location.hash.slice(1))?.closest(".fold-body") ?? null;

/** Opens the fold that the address names, also in browsers that do not do so themselves, and scrolls to it. */
function openNamed() {
  const body = named();
  const fold = body?.closest("details");
  if (!body || !fold) return;
  fold.open = true;
  body.scrollIntoView();
}

/** Makes the button open all folds, or close them once all are open. */
function switchFolds() {
  const button = document.querySelector('[data-action="folds"]');
  const allOpen = () => folds.every((fold) => fold.open);
  const name = () => button && (button.textContent = allOpen() ? t("Close all") : t("Open all"));
  button?.addEventListener("click", () => {
    const open = !allOpen();
    for (const fold of folds) fold.open = open;
  });
  for (const fold of folds) fold.addEventListener("toggle", name);
  name();
}

const { kept } = readPage();

function showProgress() {
  offer(readLast(() => window.localStorage) || (kept?.last ?? ""));
  offerOnPaths();
}

markProgress(kept);
if (!restoreFolds()) {
  openCurrent(readLast(() => window.localStorage));
  openNamed();
}
for (const fold of folds) fold.addEventListener("toggle", rememberFolds);
switchFolds();
showProgress();
window.addEventListener("hashchange", openNamed);
document.addEventListener("keydown", (event) => void turnPage(event, false));
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) showProgress(); // it reads the marks, which progress-marks.js has updated in an earlier listener
});
