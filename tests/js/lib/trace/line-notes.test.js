import assert from "node:assert/strict";
import { test } from "node:test";

import { lineNotes } from "../../../../static/js/lib/trace/line-notes.js";

const span = (/** @type {number} */ line) => ({ cell: "a", line, column: 0, end_line: line, end_column: 9 });
const shown = (/** @type {number[] | null} */ shape) => ({ name: "", gradient: shape && { shape, dtype: null, values: null } });
const STEP = /** @type {any} */ ({ node: "n0", span: span(9), received: [shown([2, 3]), shown(null)], sent: [shown([3])] });
const saved = (/** @type {string} */ name, /** @type {number} */ line) => ({ name, span: span(line), shape: [3] });
const CALLS = /** @type {any[]} */ ([
  { node: "n1", saved: [saved("other", 2)] },
  { node: "n0", saved: [saved("x", 4), saved("y", 4), saved("ctx.z", 5), { name: "w", span: null, shape: [3] }] },
]);

test("the line of backward has the shapes that came and went, those of forward what was saved there", () => {
  assert.deepEqual(lineNotes(STEP, CALLS), [
    { cell: "a", line: 4, words: "x: (3,), y: (3,)" },
    { cell: "a", line: 5, words: "ctx.z: (3,)" },
    { cell: "a", line: 9, words: "(2, 3), – → (3,)" },
  ]);
});

test("a step that is not of the learner's backward has no notes", () => {
  assert.deepEqual(lineNotes({ ...STEP, span: null }, CALLS), []);
  assert.deepEqual(lineNotes(null, CALLS), []);
});
