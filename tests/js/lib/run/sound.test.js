import assert from "node:assert/strict";
import { test } from "node:test";

import { ExerciseState } from "../../../../static/js/state/tasks/exercise-state.js";
import { KeptResults } from "../../../../static/js/state/kept-results.js";
import { PredictionState } from "../../../../static/js/state/tasks/prediction-state.js";
import { readProgress } from "../../../../static/js/state/tasks/progress.js";
import { takeExercise } from "../../../../static/js/state/saving/take-kept.js";
import { WorkReport } from "../../../../static/js/state/saving/work-report.js";
import { answering, openLesson, RESULT } from "../../lesson_page.js";
import { memoryAsyncStore, memoryStore } from "../../stores.js";

const EXERCISE = "gradroom/exercise/a/b/fix";
const ANSWER = {
  passed: false,
  checks: [],
  hidden: { passed: 0, total: 1 },
  run: RESULT,
  mistake: null,
  after: "",
  receipt: null,
  not_kept: "full",
};
const CHECK = { id: "values", title: "Values", passed: false, message: "", html: "" };
const ENTRIES = [
  null,
  5,
  "x",
  [],
  [[1]],
  { standing: 5, hints: "many", attempts: "zz", count: "x", judged: "q", pending: 5, unkept: "u" },
  { attempts: [null, 1, { at: "x" }, { at: 9e300, passed: true, good: 1, total: 1 }], judged: {}, unkept: [null, { key: 5 }], pending: {} },
  { attempts: { a: 1 }, judged: { submission: {} }, unkept: {} },
  { judged: { source: "", lang: "en", submission: { passed: true, checks: null, hidden: null } } },
  { judged: { source: "", lang: "en", submission: { ...ANSWER, checks: [null] } } },
  { judged: { source: "", lang: "en", submission: { ...ANSWER, checks: [{ ...CHECK, message: 5 }] } } },
  { judged: { source: "", lang: "en", submission: { ...ANSWER, checks: [{ ...CHECK, facts: "abc" }] } } },
  { judged: { source: "", lang: "en", submission: { ...ANSWER, receipt: { id: 1, at: "zz" } } } },
  { judged: { source: "", lang: "en", submission: { ...ANSWER, mistake: "m" } } },
];

for (const entry of ENTRIES) {
  test(`an exercise can be submitted beside ${JSON.stringify(entry)}`, async () => {
    const store = memoryStore();
    store.setItem(EXERCISE, JSON.stringify(entry));
    const { fix, work } = openLesson(store);
    takeExercise(work, "fix", { standing: "tried", seen: false, hints: 0, count: 0, attempts: [] });
    const exercise = new ExerciseState({ id: "fix", kind: "blank", hints: 2, tries: 1 }, fix, work, "en");
    assert.deepEqual([exercise.judged.value, exercise.pending, exercise.unkept.value, exercise.attempts.value], [null, null, [], []]);
    assert.deepEqual([exercise.standing.value, exercise.hints.value, exercise.count.value], ["tried", 0, 0]);
    answering([
      ["result", RESULT],
      ["submission", ANSWER],
    ]);
    await exercise.submit();
    assert.deepEqual([exercise.grading.value.phase, exercise.attempts.value.length, exercise.unkept.value.length], ["done", 1, 1]);
  });
}

test("what is sound of an exercise is kept", () => {
  const store = memoryStore();
  const attempt = { at: 1, passed: true, good: 1, total: 1, receipt: null };
  const judged = {
    source: "y",
    lang: "en",
    submission: {
      ...ANSWER,
      checks: [CHECK, { ...CHECK, facts: [{ title: "got", value: "1" }] }],
      receipt: { id: "A", at: "2026-11-22T14:03:00Z" },
    },
  };
  store.setItem(EXERCISE, JSON.stringify({ attempts: [attempt, null], judged, seen: true, tomorrow: 1 }));
  const { work } = openLesson(store);
  assert.deepEqual(work.read("exercise", "fix"), { attempts: [attempt], judged, seen: true, tomorrow: 1 });
});

test("a prediction that cannot be read is asked again", () => {
  for (const told of [
    5,
    "x",
    {},
    { said: {}, answer: [], explanation: 5, lang: "en" },
    { said: 1, answer: ["a"], explanation: "", lang: "en" },
  ]) {
    const { second, work } = openLesson();
    const { about } = new PredictionState({ id: "p", asks: "value", names: [], choices: 0 }, second, work, "en");
    work.keep("prediction", "p", { about, told, first: told });
    const prediction = new PredictionState({ id: "p", asks: "value", names: [], choices: 0 }, second, work, "en");
    assert.deepEqual([prediction.told.value, prediction.first], [null, null]);
  }
});

test("progress that is no list of names is none, and what was done is reported all the same", () => {
  for (const kept of [[[1]], { "a/b": 5 }, { "a/b": "abc" }, { "a/b": [null] }, { "a/b": { c: 1 } }, { "c/d": 5 }, "x", null]) {
    const store = memoryStore();
    store.setItem("gradroom/progress", JSON.stringify(kept));
    assert.deepEqual(
      readProgress(() => store),
      {},
    );
    const { work } = openLesson(store);
    assert.doesNotThrow(
      () =>
        new WorkReport(
          () => store,
          work,
          null,
          () => {},
          () => true,
        ),
    );
  }
});

const STATE = {
  phase: "done",
  position: 0,
  starting: "",
  reason: "unreachable",
  message: "",
  seconds: 0,
  pieces: [{ stream: "stdout", text: "a" }],
  records: [{ kind: "value" }],
  result: { ...RESULT, records: [{ kind: "value" }] },
};
const KEPT = { at: 1, sources: { first: "x = 1" }, state: STATE };
const UNSOUND = [
  null,
  5,
  {},
  { ...KEPT, at: "zz" },
  { ...KEPT, at: 9e300 },
  { ...KEPT, sources: null },
  { ...KEPT, sources: { first: 5 } },
  ...[
    { phase: "running" },
    { phase: "zzz" },
    { pieces: null },
    { pieces: [null] },
    { pieces: "abc" },
    { pieces: [{ stream: "zzz", text: "" }] },
    { pieces: [{ stream: "stdout", text: null }] },
    { records: null },
    { records: [null] },
    { records: [{}] },
    { records: Array(5000).fill({ kind: "value" }) },
    { result: 5 },
    { result: {} },
  ].map((change) => ({ ...KEPT, state: { ...STATE, ...change } })),
  ...[{ timing: null }, { stdout: null }, { records: null }, { error: 5 }, { error: {} }, { outcome: 5 }].map((change) => ({
    ...KEPT,
    state: { ...STATE, result: { ...STATE.result, ...change } },
  })),
];

test("stored results that cannot be shown are as good as none", async () => {
  const store = memoryAsyncStore();
  const results = new KeptResults(() => store, "a/b");
  await store.set("a/b/first", { format: 2, kept: KEPT });
  assert.deepEqual(await results.read("first"), KEPT);
  const { records, ...earlier } = STATE;
  for (const kept of UNSOUND) {
    await store.set("a/b/first", { format: 2, kept });
    assert.equal(await results.read("first"), null, JSON.stringify(kept));
  }
  for (const result of [5, {}, { ...RESULT, timing: null }]) {
    await store.set("a/b/first", { kept: { ...KEPT, state: { ...earlier, displays: [], result } } });
    assert.equal(await results.read("first"), null, JSON.stringify(result));
  }
});

test("the text of a draft stays where what is known of the server's is not sound", () => {
  for (const more of [{ sent: 5 }, { sent: null }, { sent: [5] }, { version: "x" }, { base: 5 }, { from: {} }]) {
    const store = memoryStore();
    store.setItem("gradroom/draft/a/b/first", JSON.stringify({ starter: "s", text: "x = 2", undo: null, other: null, ...more }));
    const { first, page } = openLesson(store);
    assert.equal(first.text.value, "x = 2");
    page.drafts.noteSent("first", "x = 2");
    assert.deepEqual([page.drafts.unsaved("first"), page.drafts.read("first")?.version], [true, 0]);
  }
});
