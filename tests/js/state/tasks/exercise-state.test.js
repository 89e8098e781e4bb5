import assert from "node:assert/strict";
import { test } from "node:test";

import { after, countChecks, ExerciseState, firstFailing } from "../../../../static/js/state/tasks/exercise-state.js";
import { answering, openLesson, RESULT } from "../../lesson_page.js";
import { memoryStore } from "../../stores.js";

/** @typedef {[string, object][]} Events */

const VALUES = { id: "values", title: "Values", passed: true, message: "", html: "", reported: false };
const GRADIENT = { id: "gradient", title: "Gradient", passed: false, message: "2, not 3", html: "", reported: false };

/** @param {object[]} checks @param {object} [more] */
const submission = (checks, more = {}) => ({
  passed: true,
  checks,
  hidden: { passed: 1, total: 2 },
  run: RESULT,
  mistake: null,
  after: "",
  receipt: null,
  ...more,
});
/** @param {any} answer @returns {Events} */
const graded = (answer) => [
  ["result", RESULT],
  ...answer.checks.map((/** @type {object} */ check) => ["check", check]),
  ["submission", answer],
];
const SPAN = { cell: null, line: 1, column: 0, end_line: 1, end_column: 1 };
const DIAGNOSIS = {
  kind: "diagnosis",
  code: "one",
  severity: "error",
  span: SPAN,
  message: "One.",
  change: "Two.",
  edits: [],
  explains: [],
};
const PASSED = graded(submission([VALUES]));
const FAILED = graded(submission([VALUES, GRADIENT], { passed: false }));

function open(store = memoryStore()) {
  const lesson = openLesson(store);
  return { ...lesson, exercise: new ExerciseState({ id: "fix", kind: "blank", hints: 2, tries: 1 }, lesson.fix, lesson.work, "en") };
}

test("what is written is graded, each check as it is decided, and its run is the cell's", async () => {
  const { exercise, fix } = open();
  const asked = answering(FAILED);
  fix.edit("y = 2");
  await exercise.submit();
  assert.deepEqual([asked[0]?.url, asked[0]?.body], ["/api/lessons/a/b/exercises/fix/submissions", { source: "y = 2", lang: "en" }]);
  assert.deepEqual(
    exercise.checks.value.map((check) => check.id),
    ["values", "gradient"],
  );
  assert.equal(fix.results.value.result?.id, "r1");
  assert.deepEqual(
    [exercise.grading.value.phase, exercise.standing.value, exercise.judged.value?.submission.passed],
    ["done", "tried", false],
  );
  assert.ok(!("run" in (exercise.judged.value?.submission ?? {})));
  assert.equal(exercise.stale.value, false);
  fix.edit("y = 3");
  assert.equal(exercise.stale.value, true);
});

test("a submission lost on its way is sent under the same key, another text under another", async () => {
  const { exercise, fix } = open();
  const asked = answering([["started", { id: "r1" }]], PASSED, PASSED, [["result", RESULT]], PASSED);
  await exercise.submit();
  assert.deepEqual([exercise.grading.value.phase, exercise.standing.value], ["lost", "new"]);
  await exercise.submit();
  await exercise.submit();
  fix.edit("y = 2");
  await exercise.submit();
  assert.equal(exercise.grading.value.phase, "lost");
  fix.edit("y = 3");
  await exercise.submit();
  const keys = asked.map(({ headers }) => headers["idempotency-key"]);
  assert.equal(keys[0], keys[1]);
  assert.equal(new Set(keys).size, 4);
});

test("an answer given again has no run before it, and brings its run along", async () => {
  const { exercise, fix } = open();
  answering([["submission", submission([VALUES])]]);
  await exercise.submit();
  assert.deepEqual([exercise.standing.value, fix.results.value.result?.id], ["passed", "r1"]);
});

test("what was reached is never taken away", async () => {
  const { exercise, store } = open();
  answering(PASSED, FAILED);
  await exercise.submit();
  await exercise.submit();
  assert.deepEqual(
    [exercise.standing.value, open(store).exercise.standing.value, open(store).exercise.attempts.value.length],
    ["passed", "passed", 2],
  );
});

test("another tab that came further is not set back", async () => {
  const { exercise: here, store } = open();
  const { exercise: there } = open(store);
  answering(PASSED, FAILED);
  await there.submit();
  await here.submit();
  assert.equal(here.standing.value, "passed");
});

test("a pass after seeing the solution says so, one before it does not", () => {
  assert.deepEqual(
    [
      after("new", false, false),
      after("tried", true, false),
      after("tried", true, true),
      after("passed", true, true),
      after("shown", false, true),
    ],
    ["tried", "passed", "shown", "passed", "shown"],
  );
});

test("the solution is asked for once it is wanted, and that is remembered", async () => {
  const { exercise, store } = open();
  /** @type {string[]} */
  const asked = [];
  await exercise.reveal(async (url) => (asked.push(String(url)), new Response(JSON.stringify({ source: "y = 42", solutions: [] }))));
  assert.deepEqual(
    [asked, exercise.solution.value, open(store).exercise.seen.value],
    [["/api/lessons/a/b/exercises/fix/solution"], "y = 42", true],
  );
});

test("a solution that does not come leaves everything as it is", async () => {
  const { exercise } = open();
  await exercise.reveal(async () => new Response(JSON.stringify({ error: { code: "x", message: "Not now." } }), { status: 429 }));
  assert.deepEqual([exercise.withheld.value, exercise.seen.value], ["Not now.", false]);
  await exercise.reveal(async () => {
    throw new TypeError("offline");
  });
  assert.equal(exercise.withheld.value, "lost");
});

test("hints come one by one and stay", () => {
  const { exercise, store } = open();
  for (let press = 0; press < 3; press++) exercise.hint();
  assert.deepEqual([exercise.hints.value, open(store).exercise.hints.value], [2, 2]);
});

test("of the attempts the last twenty are kept", async () => {
  const { exercise, store } = open();
  answering(...Array.from({ length: 44 }, (_, at) => (at % 2 ? [] : FAILED))); // after each, it is asked what the doctor finds
  for (let attempt = 0; attempt < 22; attempt++) await exercise.submit();
  assert.equal(open(store).exercise.attempts.value.length, 20);
});

test("the first check that does not pass is the one to look at, whatever the program says of itself", () => {
  const reported = { ...GRADIENT, id: "saved", reported: true };
  const first = (/** @type {any} */ answer) => firstFailing(answer)?.id;
  assert.equal(first(submission([VALUES, reported, GRADIENT])), "gradient");
  assert.equal(first(submission([VALUES, reported])), undefined);
  assert.equal(first(submission([VALUES])), undefined);
});

test("what is only reported does not count", () => {
  assert.deepEqual(countChecks(/** @type {any} */ (submission([VALUES, GRADIENT, { ...GRADIENT, reported: true }]))), {
    good: 2,
    total: 4,
  });
});

test("the keyboard goes on from the last cell to the exercise, and back", () => {
  const { page, second, fix } = open();
  assert.equal(page.neighbour(second, 1), fix);
  assert.equal(page.neighbour(fix, -1), second);
});

test("a name is not said to be defined in an exercise", () => {
  const { page, first, fix } = open();
  fix.edit("secret = 1");
  assert.equal(page.whoDefines("secret", first), null);
});

/** Answers every request for a second run, and returns the addresses that were asked. @param {() => Response | Promise<Response>} [answer] */
function tracing(answer = () => new Response(JSON.stringify({ ...RESULT, records: [DIAGNOSIS] }))) {
  /** @type {string[]} */
  const asked = [];
  /** @type {typeof globalThis.fetch} */
  const fetch = async (url) => (asked.push(String(url)), answer());
  return { asked, fetch };
}

/** An exercise with a submission that was graded, and a server that nobody has asked for a second run. @param {Events} events */
async function submitted(events) {
  const opened = open();
  answering(events);
  await opened.exercise.submit();
  return opened;
}

test("of a submission that did not pass it is asked what the doctor finds", async () => {
  const { exercise, fix } = await submitted(FAILED);
  const { asked, fetch } = tracing();
  await exercise.diagnose(fetch);
  assert.deepEqual(asked, ["/api/runs/r1/trace"]);
  assert.deepEqual(
    exercise.diagnoses.value.map(({ code }) => code),
    ["one"],
  );
  fix.graded.value = true;
  assert.deepEqual([fix.findings.reach, fix.findings.underlines], ["kind", []]);
  exercise.located.value = true;
  assert.equal(fix.findings.reach, "place");
  assert.deepEqual(
    fix.findings.underlines.map(({ underline }) => underline.message),
    ["One."],
  );
});

test("of a submission that passed nothing is asked", async () => {
  const { exercise } = await submitted(PASSED);
  const { asked, fetch } = tracing();
  await exercise.diagnose(fetch);
  assert.deepEqual([asked, exercise.diagnoses.value], [[], []]);
});

test("a server that does not run it again, or is out of reach, finds nothing", async () => {
  const { exercise } = await submitted(FAILED);
  await exercise.diagnose(tracing(() => new Response("{}", { status: 503 })).fetch);
  await exercise.diagnose(tracing(() => Promise.reject(new TypeError("offline"))).fetch);
  assert.deepEqual(exercise.diagnoses.value, []);
});

test("what comes after the next run has begun is of a text that is no longer the latest", async () => {
  const { exercise, fix } = await submitted(FAILED);
  const late = tracing(() => {
    fix.run.value = { ...fix.run.peek(), result: null };
    return new Response(JSON.stringify({ ...RESULT, records: [DIAGNOSIS] }));
  });
  await exercise.diagnose(late.fetch);
  assert.deepEqual(exercise.diagnoses.value, []);
});

test("where the author has said what is wrong, the doctor says nothing", async () => {
  const mistake = { id: "chain", message: "", html: "<p>…</p>" };
  const { exercise, fix } = await submitted(graded(submission([GRADIENT], { passed: false, mistake })));
  await exercise.diagnose(tracing().fetch);
  fix.graded.value = true;
  assert.equal(fix.findings.reach, "nothing");
});

test("the next submission forgets what was found, and that its place was shown", async () => {
  const { exercise } = await submitted(FAILED);
  await exercise.diagnose(tracing().fetch);
  exercise.located.value = true;
  answering(PASSED);
  await exercise.submit();
  assert.deepEqual([exercise.diagnoses.value, exercise.located.value], [[], false]);
});
