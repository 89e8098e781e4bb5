import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { bringOver } from "../../../../static/js/state/saving/bring-over.js";
import { Drafts } from "../../../../static/js/state/saving/drafts.js";
import { ExerciseState } from "../../../../static/js/state/tasks/exercise-state.js";
import { KeptWork } from "../../../../static/js/state/saving/kept-work.js";
import { PredictionState } from "../../../../static/js/state/tasks/prediction-state.js";
import { noteDone, readProgress } from "../../../../static/js/state/tasks/progress.js";
import { resend } from "../../../../static/js/state/saving/resend.js";
import { takeExercise, takePrediction, takeProgress } from "../../../../static/js/state/saving/take-kept.js";
import { unreportedLessons } from "../../../../static/js/state/saving/unreported.js";
import { WorkReport } from "../../../../static/js/state/saving/work-report.js";
import { openLesson } from "../../lesson_page.js";
import { memoryStore } from "../../stores.js";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** @typedef {import("../../../../static/js/state/saving/take-kept.js").Kept} Kept */

const settle = () => new Promise((resolve) => setImmediate(resolve));
const NOTHING = /** @type {Kept} */ ({ drafts: {}, cells: [], predictions: {}, exercises: {} });
const RIGHT = { said: 4, right: true, answer: 4, explanation: "<p>Why.</p>", lang: "en" };
const WRONG = { said: 3, right: false, answer: 4, explanation: "<p>Why not.</p>", lang: "en" };

/** What each request is answered, in turn; the last goes on. @param {...(() => Response)} answers */
function serve(...answers) {
  /** @type {{url: string, body: any, headers: Record<string, string>}[]} */
  const asked = [];
  globalThis.fetch = async (url, init) => {
    asked.push({ url: String(url), body: JSON.parse(String(init?.body)), headers: /** @type {Record<string, string>} */ (init?.headers) });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return /** @type {() => Response} */ (answer)();
  };
  return asked;
}

const taken = () => new Response(null, { status: 204 });
const away = () => {
  throw new TypeError("offline");
};
const receipt =
  (id = "AAAA") =>
  () =>
    Response.json({
      passed: true,
      checks: [],
      hidden: { passed: 0, total: 0 },
      run: null,
      receipt: { id, at: "2026-11-22T14:03:00Z", sha256: "" },
      not_kept: null,
    });
const unkept = () =>
  Response.json({ passed: true, checks: [], hidden: { passed: 0, total: 0 }, run: null, receipt: null, not_kept: "full" });

function predict(store = memoryStore(), about = "") {
  const lesson = openLesson(store);
  const prediction = () => new PredictionState({ id: "p", asks: "value", names: [], choices: 0 }, lesson.second, lesson.work, "en");
  return { ...lesson, about: about || prediction().about, prediction };
}

test("a prediction that the browser lacks is taken, the first answer with it", () => {
  const { work, about, prediction } = predict();
  takePrediction(work, "p", about, { first: { said: 3, right: false }, told: RIGHT, due: false });
  const { told, first, due } = prediction();
  assert.deepEqual([told.value, first?.said, due.value], [RIGHT, 3, false]);
});

test("what the browser said first stays, also where the server says otherwise", () => {
  const { work, about, prediction } = predict();
  work.keep("prediction", "p", { about, first: WRONG, told: RIGHT });
  takePrediction(work, "p", about, { first: { said: 9, right: false }, told: WRONG, due: false });
  assert.deepEqual([prediction().first?.said, prediction().told.value?.said], [3, 4]);
});

test("a prediction of another program than the lesson's now is replaced", () => {
  const { work, about, prediction } = predict();
  work.keep("prediction", "p", { about: "old", first: WRONG, told: WRONG });
  takePrediction(work, "p", about, { first: { said: 4, right: true }, told: RIGHT, due: false });
  assert.equal(prediction().first?.said, 4);
});

test("one that is due stands again as a question, and what was said first stays", () => {
  const { work, about, prediction } = predict();
  takePrediction(work, "p", about, { first: { said: 3, right: false }, told: WRONG, due: true });
  const asked = prediction();
  assert.deepEqual([asked.told.value, asked.first?.said, asked.due.value], [null, 3, true]);
  asked.onNews({ type: "prediction", prediction: /** @type {any} */ (RIGHT) }, 4);
  assert.deepEqual(
    [asked.due.value, prediction().due.value, prediction().told.value?.said, prediction().first?.said],
    [false, false, 4, 3],
  );
});

function practise(store = memoryStore()) {
  const lesson = openLesson(store);
  return { ...lesson, exercise: () => new ExerciseState({ id: "fix", kind: "blank", hints: 2, tries: 1 }, lesson.fix, lesson.work, "en") };
}

const SENT = { receipt: "AAAA", at: "2026-11-20T10:00:00Z", passed: false, good: 1, total: 2, imported: false };
const server = (/** @type {object} */ more) => ({
  standing: /** @type {const} */ ("tried"),
  seen: false,
  hints: 0,
  count: 1,
  attempts: [SENT],
  ...more,
});

test("of an exercise what is further counts, whoever has it", () => {
  const { work, exercise } = practise();
  work.keep("exercise", "fix", { standing: "passed", seen: false, hints: 1, attempts: [] });
  takeExercise(work, "fix", server({ seen: true, hints: 2, tries: 1 }));
  const { standing, seen, hints, attempts } = exercise();
  assert.deepEqual([standing.value, seen.value, hints.value, attempts.value.length], ["passed", true, 2, 1]);
  takeExercise(work, "fix", server({ standing: "shown", hints: 0, tries: 1 }));
  assert.deepEqual([exercise().standing.value, exercise().hints.value], ["passed", 2]);
});

test("a browser that has nothing takes how far it is", () => {
  const { work, exercise } = practise();
  takeExercise(work, "fix", server({ standing: "shown", seen: true, hints: 1, count: 30 }));
  const { standing, seen, hints, attempts, count } = exercise();
  assert.deepEqual([standing.value, seen.value, hints.value, attempts.value[0]?.receipt, count.value], ["shown", true, 1, "AAAA", 30]);
});

test("an attempt that both have is one, and one without a receipt stays", () => {
  const { work, exercise } = practise();
  const at = Date.parse("2026-11-20T10:00:01Z");
  work.keep("exercise", "fix", {
    attempts: [
      { at, passed: false, good: 1, total: 2, receipt: "AAAA" },
      { at: at + 1, passed: true, good: 2, total: 2, receipt: null },
    ],
  });
  takeExercise(work, "fix", server({}));
  assert.deepEqual(
    exercise().attempts.value.map((one) => one.receipt),
    ["AAAA", null],
  );
  assert.equal(exercise().count.value, 2);
});

test("what is done is joined", () => {
  const store = memoryStore();
  noteDone(() => store, "a/b", "first");
  takeProgress(() => store, "a/b", {
    ...NOTHING,
    cells: ["second"],
    predictions: { p: /** @type {any} */ ({}) },
    exercises: { fix: server({ standing: "passed" }), other: server({}) },
  });
  assert.deepEqual(readProgress(() => store)["a/b"], ["first", "second", "prediction:p", "exercise:fix"]);
});

/** @param {ReturnType<typeof memoryStore>} store @param {Kept | null} kept */
function report(store, kept = NOTHING) {
  return new WorkReport(
    () => store,
    new KeptWork(() => store, "a/b"),
    kept,
    () => {},
    (_, id) => id !== "gone",
  );
}

test("what the server lacks is told, and nothing else", async () => {
  const store = memoryStore();
  const { work, about } = predict(store);
  noteDone(() => store, "a/b", "first", "second", "gone", "prediction:p");
  work.keep("prediction", "gone", { first: WRONG, told: WRONG });
  work.keep("prediction", "p", { about, first: WRONG, told: RIGHT });
  work.keep("prediction", "q", { about, first: RIGHT, told: RIGHT });
  work.keep("exercise", "fix", { hints: 2, tries: 1 });
  const asked = serve(taken);
  report(store, {
    ...NOTHING,
    cells: ["second"],
    predictions: { q: /** @type {any} */ ({}) },
    exercises: { fix: server({ hints: 1, tries: 1 }) },
  });
  mock.timers.tick(0);
  await settle();
  assert.deepEqual(
    asked.map(({ url, body }) => [url, body]),
    [["/api/me/work", { lesson: "a/b", cells: ["first"], predictions: { p: { answer: 3, lang: "en" } }, hints: { fix: 2 } }]],
  );
  assert.deepEqual(
    unreportedLessons(() => store),
    [],
  );
});

test("what is done later is told once, together", async () => {
  const store = memoryStore();
  const asked = serve(taken);
  const telling = report(store);
  for (const cell of ["first", "second", "first"]) {
    noteDone(() => store, "a/b", cell);
    telling.changed();
  }
  mock.timers.tick(1000);
  await settle();
  telling.changed();
  mock.timers.tick(60_000);
  assert.deepEqual(
    asked.map(({ body }) => body.cells),
    [["first", "second"]],
  );
});

test("what could not be told is told later, from the page of another lesson too", async () => {
  const store = memoryStore();
  const asked = serve(away, taken);
  noteDone(() => store, "a/b", "first");
  report(store);
  mock.timers.tick(0);
  await settle();
  assert.deepEqual(
    unreportedLessons(() => store),
    ["a/b"],
  );
  await bringOver(() => store, "a/other");
  assert.deepEqual([asked.map(({ body }) => body.cells), unreportedLessons(() => store)], [[["first"], ["first"]], []]);
});

test("drafts and submissions of other lessons are brought over, a conflict waits for its lesson", async () => {
  const store = memoryStore();
  new Drafts(() => store, "a/b").keep("c", "start", "mine");
  new Drafts(() => store, "a/here").keep("c", "start", "of this page");
  new Drafts(() => store, "playground").keep("p", "start", "of the playground");
  new Drafts(() => store, "a/d").keep("c", "start", "both");
  new KeptWork(() => store, "a/b").keep("exercise", "fix", { unkept: [{ source: "y = 2", key: "k" }] });
  store.setItem("gradroom/untold", "[]");
  const conflict = () =>
    Response.json({ error: { code: "draft_conflict", message: "", draft: { version: 1, source: "theirs" } } }, { status: 409 });
  const asked = serve(() => Response.json({ version: 1 }), conflict, receipt());
  await bringOver(() => store, "a/here");
  assert.deepEqual(
    asked.map(({ url }) => url),
    ["/api/me/drafts/a/b/c", "/api/me/drafts/a/d/c", "/api/lessons/a/b/exercises/fix/submissions"],
  );
  assert.deepEqual([new Drafts(() => store, "a/b").unsaved("c"), new Drafts(() => store, "a/d").unsaved("c")], [false, true]);
});

test("a server that does not answer is asked once", async () => {
  const store = memoryStore();
  for (const lesson of ["a/b", "a/c"]) noteDone(() => store, lesson, "first");
  new Drafts(() => store, "a/b").keep("c", "start", "mine");
  const asked = serve(away);
  await bringOver(() => store);
  assert.equal(asked.length, 1);
});

test("a submission that could not be kept is sent again under its key until it has its receipt", async () => {
  const { work, exercise, fix } = practise();
  const graded = { passed: true, checks: [], hidden: { passed: 1, total: 1 }, mistake: null, after: "", receipt: null, not_kept: "full" };
  fix.edit("y = 2");
  exercise().take(/** @type {any} */ (graded), { source: "y = 2", key: "k1" });
  assert.deepEqual([exercise().standing.value, exercise().unkept.value], ["passed", [{ source: "y = 2", key: "k1" }]]);
  const asked = serve(unkept, receipt("BBBB"));
  assert.equal(await resend(work, "fix"), false);
  assert.equal(await resend(work, "fix"), true);
  assert.deepEqual(
    asked.map(({ headers, body }) => [headers["idempotency-key"], headers["accept"], body.source]),
    [
      ["k1", "application/json", "y = 2"],
      ["k1", "application/json", "y = 2"],
    ],
  );
  const { attempts, judged, unkept: left } = exercise();
  assert.deepEqual([attempts.value.map((one) => one.receipt), judged.value?.submission.receipt?.id, left.value], [["BBBB"], "BBBB", []]);
});

test("it is sent again as it was sent first, or its key would be used for another text", async () => {
  const { work } = practise();
  work.keep("exercise", "fix", { unkept: [{ source: "y = '\ud83d'", key: "k1" }] });
  const asked = serve(receipt("BBBB"));
  await resend(work, "fix");
  assert.equal(asked[0]?.body.source, "y = '\ufffd'");
});

test("the same text, submitted again before it was kept, is the same submission", async () => {
  const { work, exercise, fix } = practise();
  fix.edit("y = 2");
  work.keep("exercise", "fix", { unkept: [{ source: "y = 2", key: "k1" }] });
  const asked = serve(() => new Response("", { headers: { "content-type": "text/event-stream" } }));
  await exercise().submit();
  assert.equal(asked[0]?.headers["idempotency-key"], "k1");
});

test("what the server will never keep is sent no more", async () => {
  const { work } = practise();
  work.keep("exercise", "fix", { unkept: [{ source: "y = 2", key: "k1" }] });
  const asked = serve(() => Response.json({ error: { code: "key_used" } }, { status: 422 }));
  assert.deepEqual([await resend(work, "fix"), await resend(work, "fix"), asked.length], [true, true, 1]);
});

test("what was stopped is no attempt", () => {
  const { exercise } = practise();
  const stopped = {
    passed: false,
    checks: [],
    hidden: { passed: 0, total: 0 },
    mistake: null,
    after: "",
    receipt: null,
    not_kept: "stopped",
  };
  exercise().take(/** @type {any} */ (stopped), { source: "y = 2", key: "k1" });
  assert.deepEqual([exercise().attempts.value, exercise().unkept.value, exercise().standing.value], [[], [], "new"]);
});

test("what was sent and not answered is sent under its key after a reload, too", async () => {
  const store = memoryStore();
  const { exercise, fix } = practise(store);
  fix.edit("y = 2");
  const asked = serve(() => new Response("", { headers: { "content-type": "text/event-stream" } }));
  await exercise().submit();
  await practise(store).exercise().submit();
  assert.equal(asked[0]?.headers["idempotency-key"], asked[1]?.headers["idempotency-key"]);
});

test("an answer of which only the verdict is kept leaves no run under way", async () => {
  const { exercise, fix } = practise();
  const answer = {
    passed: true,
    checks: [],
    hidden: { passed: 0, total: 0 },
    mistake: null,
    after: "",
    run: null,
    receipt: { id: "AAAA", at: "", sha256: "" },
    not_kept: null,
  };
  serve(() => new Response(`event: submission\ndata: ${JSON.stringify(answer)}\n\n`, { headers: { "content-type": "text/event-stream" } }));
  const state = exercise();
  await state.submit();
  assert.deepEqual(
    [fix.busy.value, state.busy.value, state.standing.value, state.judged.value?.submission.receipt?.id],
    [false, false, "passed", "AAAA"],
  );
});
