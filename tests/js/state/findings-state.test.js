import assert from "node:assert/strict";
import { test } from "node:test";

import { answering, openLesson, RESULT } from "../lesson_page.js";

const EDIT = { span: { cell: "first", line: 1, column: 4, end_line: 1, end_column: 5 }, text: "2" };
const DIAGNOSIS = {
  kind: "diagnosis",
  id: "d1",
  code: "one",
  severity: "error",
  span: EDIT.span,
  message: "One.",
  change: "Two.",
  values: {},
  evidence: [],
  edits: [EDIT],
  explains: [],
};

/** @param {object} [fields] */
async function run(fields = {}) {
  const lesson = openLesson();
  answering([["result", { ...RESULT, records: [{ ...DIAGNOSIS, ...fields }] }]]);
  await lesson.second.start();
  return lesson;
}

/** @param {Awaited<ReturnType<typeof run>>} lesson */
function found({ second }) {
  const [finding] = second.findings.all.value;
  assert.ok(finding);
  return finding;
}

test("a finding underlines its piece in the cell that contains it", async () => {
  const lesson = await run();
  const [only] = lesson.second.findings.underlines;
  assert.deepEqual([only?.cell.id, only?.underline], ["first", { span: EDIT.span, message: "One.", severity: "error" }]);
});

test("a change is applied to the cell that contains it, and undone", async () => {
  const lesson = await run();
  const { findings } = lesson.second;
  findings.apply(found(lesson));
  assert.equal(lesson.first.text.value, "x = 2");
  assert.equal(findings.isApplied(found(lesson)), true);
  assert.equal(findings.changesOf([EDIT]), null, "the text that ran is no longer there");
  findings.undo();
  assert.equal(lesson.first.text.value, "x = 1");
  assert.equal(findings.isApplied(found(lesson)), false);
});

test("what was written after a change was applied is not undone", async () => {
  const lesson = await run();
  const { findings } = lesson.second;
  findings.apply(found(lesson));
  lesson.first.edit("x = 3");
  assert.equal(findings.isApplied(found(lesson)), false);
  findings.undo();
  assert.equal(lesson.first.text.value, "x = 3");
});

test("if one of two texts has changed since the run, neither is changed", async () => {
  const other = { span: { ...EDIT.span, cell: "second", column: 0 }, text: "show" };
  const lesson = await run({ edits: [EDIT, other] });
  lesson.second.edit("print(x + 1)");
  lesson.second.findings.apply(found(lesson));
  assert.deepEqual([lesson.first.text.value, lesson.second.text.value], ["x = 1", "print(x + 1)"]);
});

test("while a question about the cell is open nothing is said, and then it is", async () => {
  const lesson = openLesson();
  const told = { value: null };
  lesson.second.predictions.value = /** @type {any} */ ([{ told }]);
  answering([["result", { ...RESULT, records: [DIAGNOSIS, { kind: "examined", function: "F", held: ["linear"], failed: [] }] }]]);
  await lesson.second.start();
  const { findings } = lesson.second;
  assert.deepEqual([findings.all.value, findings.examined.value], [[], []]);
  lesson.second.predictions.value = [];
  assert.deepEqual([findings.all.value.length, findings.examined.value.length], [1, 1]);
});

test("a Function that both runs examined is counted once", async () => {
  const { second } = openLesson();
  const examined = { kind: "examined", id: "examined-1", function: "F", held: ["linear"], failed: [] };
  answering([["result", { ...RESULT, records: [examined] }]]);
  await second.start();
  assert.equal(second.findings.examined.value.length, 1);
  second.trace.records.value = /** @type {any} */ ([examined]);
  assert.equal(second.findings.examined.value.length, 1);
});

test("in an exercise only the failure of the run is said", async () => {
  const { fix } = openLesson();
  const error = { type: "ValueError", message: "ValueError: no", cell: "fix", line: 1, column: 0, traceback: [] };
  answering([["result", { ...RESULT, outcome: "raised", error, records: [DIAGNOSIS] }]]);
  await fix.start();
  assert.deepEqual(
    fix.findings.all.value.map(({ key }) => key),
    ["error"],
  );
});

test("the next run forgets which finding was opened", async () => {
  const lesson = await run();
  lesson.second.findings.wanted.value = "other";
  answering([["result", RESULT]]);
  await lesson.second.start();
  assert.equal(lesson.second.findings.wanted.value, "");
});
