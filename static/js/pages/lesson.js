/** The script of a lesson: its cells, predictions, exercises and rule, and the reader's progress. */

import "./plain.js";
import { orMissing } from "../components/page/missing-part.js";
import { computed, effect } from "@preact/signals-core";

import { keysOf } from "../state/saving/kept-work.js";
import { noteDone, noteVisit } from "../state/tasks/progress.js";
import { openBench } from "./bench.js";
import { takePlace } from "./place.js";
import { readPage } from "./plain.js";
import { markProgress } from "./progress-marks.js";
import { openTasks } from "./tasks.js";

const lesson = document.querySelector("main")?.dataset["lesson"] ?? "";
const { lang, kept = null, around = null } = readPage();

const page = openBench(lesson, kept, (cell, source, sources) =>
  cell.facts.exercise ? { source, lesson, exercise: cell.facts.exercise, lang } : { source, lesson, cell: cell.id, sources, lang },
);
const { work, predictions, exercises } = openTasks(page, lesson, lang, kept);
markProgress(around);
requestAnimationFrame(takePlace); // after the cells have created their editors
if (lesson) noteVisit(() => window.localStorage, lesson);

/** Reports to the server what was done. Does nothing until the module for it is loaded. */
let report = () => {};

/** @param {string} part */
function note(part) {
  noteDone(() => window.localStorage, lesson, part);
  markProgress();
  report();
}

for (const cell of page.cells.filter((one) => !one.exercise && !one.facts.forChecks)) {
  effect(() => {
    if (cell.run.value.phase === "done" && cell.asDeclared) note(cell.id);
  });
}
for (const prediction of predictions) {
  effect(() => {
    if (prediction.told.value) note(`prediction:${prediction.facts.id}`);
  });
}
for (const exercise of exercises) {
  effect(() => {
    if (["passed", "shown"].includes(exercise.standing.value)) note(`exercise:${exercise.facts.id}`);
  });
}
for (const exercise of exercises) {
  effect(() => void (exercise.hints.value && report()));
}

/**
 * Whether there is anything to send to the server: work done now, or earlier in any lesson. On a first visit, the module that sends it is
 * not loaded.
 */
const begun = computed(
  () => page.busy.value || page.texts.some((one) => one.changed.value) || exercises.some((one) => one.hints.value > 0),
);
const before = keysOf(() => window.localStorage).some((key) => /^gradroom\/(draft|exercise|prediction|progress)/.test(key));

const end = effect(() => {
  if (!lesson || !(before || begun.value)) return;
  queueMicrotask(() => end());
  void orMissing(import("./keeping.js")).then((part) => part && (report = part.startKeeping(page, work, predictions, exercises, kept)));
});
