/** A lesson: its cells, run in the light of the lesson, and how far the reader has come. */

import "./plain.js";
import { noteRun, noteVisit } from "../lib/progress.js";
import { wellFormed } from "../lib/positions.js";
import { markProgress } from "./progress-marks.js";
import { Workbench } from "./workbench.js";

/** @typedef {import("../components/code-cell.js").CodeCell} CodeCell */

const lesson = document.querySelector("main")?.dataset["lesson"] ?? "";

new Workbench(lesson, (cell, sources) => ({ source: wellFormed(cell.text), lesson, cell: cell.cell, sources }));
markProgress();
if (lesson) noteVisit(() => window.localStorage, lesson);

document.addEventListener("cell-state", (event) => {
  const cell = /** @type {CustomEvent<CodeCell>} */ (event).detail;
  if (cell.state.phase !== "done") return;
  noteRun(() => window.localStorage, lesson, cell.cell);
  markProgress();
});
