/**
 * Sets up the tasks of a lesson: builds the states of its predictions, exercises, edits to try and rule from the server's HTML, and passes
 * them to their elements.
 */

import { effect } from "@preact/signals-core";

import { openAnswer, openOutcome } from "../components/tasks/answer-text.js";
import "../components/tasks/exercise-help.js";
import "../components/tasks/exercise-standing.js";
import { orMissing } from "../components/page/missing-part.js";
import "../components/tasks/prediction-view.js";
import "../components/tasks/rule-view.js";
import "../components/tasks/try-view.js";
import { answerWords } from "../lib/numbers/answers.js";
import { t } from "../lib/words.js";
import { countChecks, ExerciseState, firstFailing } from "../state/tasks/exercise-state.js";
import { hash } from "../state/saving/drafts.js";
import { KeptWork } from "../state/saving/kept-work.js";
import { PredictionState } from "../state/tasks/prediction-state.js";
import { RuleState } from "../state/tasks/rule-state.js";
import { takeExercise, takePrediction, takeProgress } from "../state/saving/take-kept.js";
import { Tries, TryState } from "../state/tasks/try-state.js";

/** @typedef {import("../state/page-state.js").PageState} PageState */

/** @typedef {import("../state/saving/take-kept.js").Kept} Kept */

/** @param {PageState} page @param {string} lesson @param {string} lang @param {Kept | null} kept what the server has */
export function openTasks(page, lesson, lang, kept) {
  const open = () => window.localStorage;
  const work = new KeptWork(open, lesson);
  if (kept) takeAll(page, work, kept);
  if (kept) takeProgress(open, lesson, kept);
  const predictions = all("prediction-view").flatMap((element) => openPrediction(element, page, work, lang));
  const exercises = all("section.exercise").flatMap((element) => openExercise(element, page, work, lang));
  for (const element of all("answer-text[data-cell]")) openAnswerText(element, page, predictions);
  const tries = new Tries();
  for (const element of all("try-view")) openTry(element, page, tries);
  for (const element of all("exercise-step")) openStep(element, exercises);
  for (const element of all("rule-view")) Object.assign(element, { rule: new RuleState(page, work) });
  for (const one of predictions) effect(() => tellPrediction(one));
  for (const one of exercises) effect(() => tellExercise(one));
  window.addEventListener("storage", ({ key }) => {
    // another tab has made progress
    for (const one of exercises) if (key === work.key("exercise", one.facts.id) && !one.busy.peek()) one.read();
  });
  return { work, predictions, exercises };
}

/** @param {PageState} page @param {KeptWork} work @param {Kept} kept */
function takeAll(page, work, { predictions, exercises }) {
  for (const { dataset } of all("prediction-view")) {
    const { prediction: id = "", cell = "" } = dataset;
    const [one, about] = [predictions[id], page.find(cell)?.facts.starter];
    if (one && about !== undefined) takePrediction(work, id, hash(about), one);
  }
  for (const [id, one] of Object.entries(exercises)) takeExercise(work, id, one);
}

/** @param {string} selector @returns {HTMLElement[]} */
function all(selector) {
  return [...document.querySelectorAll(selector)].filter((element) => element instanceof HTMLElement);
}

/** @param {HTMLElement} element @param {PageState} page @param {KeptWork} work @param {string} lang */
function openPrediction(element, page, work, lang) {
  const { prediction: id = "", cell: cellId = "", asks = "", names = "" } = element.dataset;
  const cell = page.find(cellId);
  if (!cell) return [];
  const facts = {
    id,
    asks: /** @type {import("../lib/numbers/answers.js").Asks} */ (asks),
    names: names.split(" ").filter(Boolean),
    choices: element.querySelectorAll(".prediction-choices > li").length,
  };
  const prediction = new PredictionState(facts, cell, work, lang);
  cell.predictions.value = [...cell.predictions.value, prediction];
  Object.assign(element, { prediction });
  return [prediction];
}

/** @param {HTMLElement} element @param {PageState} page @param {PredictionState[]} predictions */
function openAnswerText(element, page, predictions) {
  const { cell = "", prediction = "" } = element.dataset;
  const about = page.find(cell);
  if (about) openAnswer(element, about, predictions.find((one) => one.facts.id === prediction) ?? null);
}

/** @param {HTMLElement} element @param {PageState} page @param {Tries} tries */
function openTry(element, page, tries) {
  const cell = page.find(element.dataset["cell"] ?? "");
  if (!cell) return;
  const words = element.querySelector(".try-text > *")?.textContent ?? "";
  const tried = new TryState(JSON.parse(element.dataset["edits"] ?? "[]"), cell, tries, words);
  const outcome = element.querySelector("answer-text");
  if (outcome instanceof HTMLElement) openOutcome(outcome, tried);
  Object.assign(element, { tried });
}

/** @param {HTMLElement} element @param {PageState} page @param {KeptWork} work @param {string} lang */
function openExercise(element, page, work, lang) {
  const { exercise: id = "", kind = "", tries = "" } = element.dataset;
  const cell = page.cells.find((one) => one.facts.exercise === id);
  if (!cell) return [];
  const exercise = new ExerciseState(
    { id, kind, hints: element.querySelectorAll(".hint").length, tries: tries ? Number(tries) : null },
    cell,
    work,
    lang,
  );
  // until then, the server's list of planned checks is shown
  effect(() => void ((exercise.busy.value || exercise.judged.value || exercise.attempts.value.length) && openVerdict()));
  // the list of steps has such elements, too
  for (const part of all(`[data-exercise="${id}"]:not(section, code-cell)`)) Object.assign(part, { exercise });
  return [exercise];
}

function openVerdict() {
  return orMissing(Promise.all([import("../components/tasks/submission-checks.js"), import("../components/tasks/exercise-attempts.js")]));
}

/** @param {HTMLElement} element @param {ExerciseState[]} exercises */
function openStep(element, exercises) {
  const earlier = exercises.find(({ facts }) => facts.id === element.dataset["before"]);
  Object.assign(element, { earlier });
  void orMissing(import("../components/tasks/exercise-step.js"));
}

/** Announces the answer to a prediction to screen readers, but not one of an earlier visit. @param {PredictionState} prediction */
function tellPrediction({ told, busy, facts }) {
  const { value } = told;
  if (!value || !busy.peek()) return;
  const words = value.said === null ? t("This is what happens.") : value.right ? t("As you predicted.") : t("Not what you expected?");
  say(
    facts.asks === "choice"
      ? words
      : t("{head} {rest}", { head: words, rest: t("Answer: {answer}.", { answer: answerWords(facts.asks, value.answer) }) }),
  );
}

/** @param {ExerciseState} exercise */
function tellExercise({ grading, judged, cell }) {
  const { phase } = grading.value;
  const submission = judged.value?.submission;
  if (phase !== "done" || !submission) return;
  const words = [
    submission.passed ? t("Passed.") : t("Not yet."),
    t("{good} of {total} checks pass.", countChecks(submission)),
    submission.passed ? "" : (firstFailing(submission)?.title ?? ""),
  ];
  const what = words.filter(Boolean).reduce((head, rest) => t("{head} {rest}", { head, rest }));
  say(t("{cell}: {what}", { cell: cell.facts.filename, what }));
}

/** @param {string} words */
function say(words) {
  const live = document.getElementById("live");
  if (live) live.textContent = words;
}
