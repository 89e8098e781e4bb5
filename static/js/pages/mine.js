/** The script of the page "My work": what is stored of the reader, the reader's progress, and export, import and deletion. */

import "./plain.js";
import "../components/mine/mine-attempts.js";
import "../components/mine/mine-forgetting.js";
import "../components/mine/mine-holdings.js";
import "../components/mine/mine-moving.js";
import "../components/mine/mine-news.js";
import "../components/mine/mine-reviews.js";
import "../components/page/page-base.js";
import { unreportedLessons } from "../state/saving/unreported.js";
import { markRead } from "../lib/me/me-client.js";
import { MineState } from "../state/mine-state.js";
import { forgetVisit, further, readStandings } from "../state/tasks/progress.js";
import { readPage } from "./plain.js";
import { markProgress } from "./progress-marks.js";

const PARTS = "mine-news, mine-holdings, mine-browser, mine-moving, mine-reviews, mine-forgetting";
const mine = new MineState();

/**
 * Lists the lessons in which something was done, with the exercises that were tried.
 * @param {import("./progress-marks.js").CourseKept | null} kept
 */
function list(kept) {
  markProgress(kept);
  const here = readStandings(() => window.localStorage);
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-of]"))) {
    const path = item.dataset["of"] ?? "";
    let begun = item.querySelector("a[data-lesson]")?.matches(".lesson-tried, .lesson-done") ?? false;
    for (const attempts of item.querySelectorAll("mine-attempts")) {
      const id = /** @type {HTMLElement} */ (attempts).dataset["exercise"]?.slice(path.length + 1) ?? "";
      const standing = further(kept?.standings?.[path]?.[id] ?? "new", here[path]?.[id]);
      Object.assign(attempts, { standing });
      /** @type {HTMLElement} */ (attempts.parentElement).hidden = standing === "new";
      begun ||= standing !== "new";
    }
    item.hidden = !begun;
  }
  for (const chapter of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".far-chapter")))
    chapter.hidden = !chapter.querySelector("[data-of]:not([hidden])");
  /** @type {HTMLElement} */ (document.getElementById("nothing-yet")).hidden =
    document.querySelector(".far-chapter:not([hidden])") !== null;
}

/** Shows what the server stores now, after it has received work that it did not have when it made this page. */
async function showAgain() {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = page.getElementById("now");
  if (now) document.getElementById("now")?.replaceWith(now);
  list(JSON.parse(page.getElementById("page-data")?.textContent ?? "{}").kept ?? null);
}

/** Lists imported work. Other pages then offer the imported lesson to continue with. */
function showBrought() {
  forgetVisit(() => window.localStorage);
  void mine.ask();
  void showAgain();
}

/** Requests the figures. If this browser had work that the server did not have, the page is shown again with it. */
async function begin() {
  const isBehind = unreportedLessons(() => window.localStorage).length > 0;
  list(readPage().kept ?? null);
  await mine.ask();
  if (isBehind) await showAgain();
}

/** Tells the server which notes the page shows for the first time, when the reader looks at the page. */
function readNotes() {
  if (document.hidden) return document.addEventListener("visibilitychange", readNotes, { once: true });
  for (const note of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-unread]"))) {
    void markRead(note.dataset["unread"] ?? "");
  }
}

document.addEventListener("work-brought", showBrought);
for (const part of document.querySelectorAll(PARTS)) Object.assign(part, { mine });
void begin();
readNotes();
