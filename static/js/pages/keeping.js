/**
 * Saves the learner's texts and progress in a lesson on the server. The page loads this module once it works; everything to send follows
 * from the browser's storage, so nothing that happened before is missed.
 */

import "../components/page/page-base.js";
import "./progress-marks.js"; // so that the bundler puts it into one file with what both need
import { effect, untracked } from "@preact/signals-core";

import { t } from "../lib/words.js";
import { bringOver } from "../state/saving/bring-over.js";
import { DraftSaver } from "../state/saving/draft-saver.js";
import { resend } from "../state/saving/resend.js";
import { WorkReport } from "../state/saving/work-report.js";

/**
 * @param {import("../state/page-state.js").PageState} page
 * @param {import("../state/saving/kept-work.js").KeptWork} work
 * @param {import("../state/tasks/prediction-state.js").PredictionState[]} predictions
 * @param {import("../state/tasks/exercise-state.js").ExerciseState[]} exercises
 * @param {import("../state/saving/take-kept.js").Kept | null} kept what the server has
 * @returns {() => void} to be called when something was done
 */
export function startKeeping(page, work, predictions, exercises, kept) {
  const open = () => window.localStorage;
  /**
   * Whether submissions are to be sent again as soon as the server stores anything. They are not sent before, since each is graded anew.
   */
  let left = false;
  let resending = false;
  const reached = () => {
    for (const saver of savers) if (saver.draft.saved.peek().kind === "held") saver.flush();
    if (left) void resendAll();
  };
  const savers = page.texts.map((draft) => new DraftSaver(draft, { lesson: work.lesson, reached }));
  const report = new WorkReport(open, work, kept, reached, has);

  /** @type {import("../state/saving/work-report.js").Has} */
  function has(kind, id) {
    if (kind === "cell") return page.find(id)?.facts.exercise === "";
    return kind === "exercise"
      ? exercises.some((one) => one.facts.id === id)
      : predictions.some((one) => one.facts.id === id && one.first !== null);
  }

  async function resendAll() {
    if (resending) return;
    resending = true;
    left = false;
    for (const exercise of exercises) {
      const all = await resend(work, exercise.facts.id);
      if (!exercise.busy.peek()) exercise.read();
      left ||= !all;
    }
    resending = false;
  }

  /** @param {boolean} [leaving] */
  function flush(leaving = false) {
    for (const one of [...savers, report]) one.flush(leaving);
  }

  window.addEventListener("online", () => (flush(), reached()));
  window.addEventListener("pagehide", () => flush(true));
  window.addEventListener("pageshow", () => page.onStorage(null)); // a page in the back/forward cache got no storage events
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) flush(true);
    else page.onStorage(null);
  });
  for (const cell of page.cells) effect(() => void (cell.run.value.phase === "done" && untracked(reached))); // so the server is reachable
  effect(() => announce(page.texts.some((one) => one.saved.value.kind === "held")));
  // Submissions of an earlier visit are sent again at once.
  left = exercises.some(({ unkept, grading }) => unkept.value.length > 0 && grading.value.phase === "idle");
  reached();
  for (const exercise of exercises) effect(() => void (exercise.unkept.value.length && (left = true)));
  if (kept) void bringOver(open, work.lesson); // without `kept`, the server stores nothing now
  return () => report.changed();
}

let wasHeld = false;

/** Tells screen readers when saving fails, and when it works again. @param {boolean} held */
function announce(held) {
  const live = document.getElementById("live");
  if (held !== wasHeld && live)
    live.textContent = held
      ? t("What you write is not saved on the server at this moment; this browser keeps it.")
      : t("Your work is being saved on the server again.");
  wasHeld = held;
}
