/** A lesson: its cells, run in the light of the lesson, and how far the reader has come. */

import "./plain.js";
import { effect } from "@preact/signals-core";

import { wellFormed } from "../lib/positions.js";
import { noteRun, noteVisit } from "../state/progress.js";
import { openBench } from "./bench.js";
import { takePlace } from "./place.js";
import { readPage } from "./plain.js";
import { markProgress } from "./progress-marks.js";

const lesson = document.querySelector("main")?.dataset["lesson"] ?? "";
const { lang } = readPage();

const page = openBench(lesson, (cell, sources) => ({ source: wellFormed(cell.text.value), lesson, cell: cell.id, sources, lang }));
markProgress();
requestAnimationFrame(takePlace); // when the cells have their editors
if (lesson) noteVisit(() => window.localStorage, lesson);

for (const cell of page.cells) {
  effect(() => {
    if (cell.run.value.phase !== "done" || !cell.asDeclared) return;
    noteRun(() => window.localStorage, lesson, cell.id);
    markProgress();
  });
}
