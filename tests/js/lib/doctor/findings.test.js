import assert from "node:assert/strict";
import { test } from "node:test";

import { findingsOf, headline, sentenceOf } from "../../../../static/js/lib/doctor/findings.js";

const SPAN = { cell: "a", line: 3, column: 4, end_line: 3, end_column: 9 };
const ERROR = {
  type: "RuntimeError",
  message: "RuntimeError: no:\nmore",
  cell: "a",
  line: 5,
  column: 2,
  explanation: null,
  pitfall: "twice",
  name: null,
};
const RAISED = { outcome: "raised", error: ERROR, stdout: "", stderr: "", records: [] };

/** @param {string} code @param {object} [fields] */
function diagnosis(code, fields = {}) {
  return {
    kind: "diagnosis",
    id: code,
    code,
    severity: "error",
    span: SPAN,
    message: `${code}!`,
    values: {},
    evidence: [],
    edits: [],
    ...fields,
  };
}

/** @param {object | null} result @param {object[]} first @param {object[]} [second] */
function find(result, first, second = []) {
  return findingsOf(/** @type {any} */ ({ result, records: first }), /** @type {any} */ (second));
}

/** @param {ReturnType<typeof find>} findings */
function codes(findings) {
  return findings.map(({ code, follows }) => (follows.length ? [code, ...follows.map((one) => one.code)] : code));
}

test("the failure of a run stands first, then the gravest diagnosis, and those alike as they were sent", () => {
  assert.deepEqual(codes(find(RAISED, [diagnosis("one")], [diagnosis("two"), diagnosis("three", { severity: "hint" })])), [
    "twice",
    "two",
    "one",
    "three",
  ]);
});

test("a run that finished or was stopped has no failure, and one that ran out of time has a sentence", () => {
  assert.deepEqual(find({ ...RAISED, outcome: "finished", error: null }, []), []);
  assert.deepEqual(find({ ...RAISED, outcome: "stopped", error: null }, []), []);
  const [late] = find({ ...RAISED, outcome: "timed_out", error: null }, []);
  assert.match(late?.sentence ?? "", /its time was up/);
  assert.equal(late?.span, null);
});

test("an error and the diagnosis with its code are one finding, at the place of the diagnosis", () => {
  const [only, ...others] = find(RAISED, [], [diagnosis("twice")]);
  assert.deepEqual(others, []);
  assert.deepEqual([only?.sentence, only?.span, only?.result?.error?.line], ["twice!", SPAN, 5]);
  const [explained] = find({ ...RAISED, error: { ...ERROR, explanation: "Why." } }, [], [diagnosis("twice", { span: null })]);
  assert.deepEqual([explained?.sentence, explained?.span?.line], ["Why.", 5]);
});

test("a diagnosis that both runs made is one finding, and at another place another one", () => {
  assert.deepEqual(codes(find(null, [diagnosis("one")], [diagnosis("one"), diagnosis("one", { span: { ...SPAN, line: 4 } })])), [
    "one",
    "one",
  ]);
});

test("what a finding explains stands under it, the failure of the run too, and each once", () => {
  const cause = diagnosis("cause", { explains: ["twice", "effect", "cause"] });
  assert.deepEqual(codes(find(RAISED, [], [diagnosis("effect", { explains: ["cause"] }), diagnosis("other")])), [
    "twice",
    "effect",
    "other",
  ]);
  assert.deepEqual(codes(find(RAISED, [], [cause, diagnosis("effect"), diagnosis("late", { explains: ["effect"] })])), [
    ["cause", "twice", "effect"],
    "late",
  ]);
  const chain = [diagnosis("a", { explains: ["b"] }), diagnosis("b", { explains: ["c"] }), diagnosis("c")];
  assert.deepEqual(codes(find(null, [], chain)), [["a", "b", "c"]]);
});

test("findings that explain one another do not both vanish", () => {
  assert.deepEqual(codes(find(null, [], [diagnosis("a", { explains: ["b"] }), diagnosis("b", { explains: ["a"] })])), [["a", "b"]]);
});

test("the failure of a gradient check that its record shows is no finding", () => {
  const raised = { ...RAISED, error: { ...ERROR, type: "GradcheckError", pitfall: null } };
  assert.deepEqual(find(raised, [{ kind: "gradcheck", passed: false }]), []);
  assert.equal(find(raised, [{ kind: "gradcheck", passed: true }]).length, 1);
});

test("without an explanation the exception’s message is the sentence", () => {
  const [only] = find(RAISED, []);
  assert.equal(only && sentenceOf(only), "RuntimeError: no");
  assert.equal(headline(/** @type {any} */ ({ message: "" })), "");
  const [silent] = find({ ...RAISED, error: { ...ERROR, message: " " } }, []);
  assert.equal(silent && sentenceOf(silent), "RuntimeError, without a message");
});
