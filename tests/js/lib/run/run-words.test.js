import assert from "node:assert/strict";
import { test } from "node:test";

import { announcement, checkWords } from "../../../../static/js/lib/run/run-words.js";
import { inARow, moment, pieces, useMessages } from "../../../../static/js/lib/words.js";

const RESULT = /** @type {import("../../../../static/js/lib/types.js").RunResult} */ (
  /** @type {unknown} */ ({ outcome: "raised", error: { type: "ZeroDivisionError", line: 2 }, records: [], timing: { total_ms: 68 } })
);

test("things in a row have the commas of their language, and nothing for what is empty", () => {
  assert.equal(inARow(["a", "", "b", "c"]), "a, b, c");
  useMessages({ "{row}, {next}": "{row}，{next}" });
  assert.equal(inARow(["a", "b", "c"]), "a，b，c");
  useMessages({});
});

test("a moment is told to the second where another is in the same minute", () => {
  const [first, second, later] = [0, 20, 60].map((seconds) => new Date(2020, 1, 1, 12, 30, seconds).getTime());
  const all = [Number(first), Number(second), Number(later), null];
  assert.match(moment(Number(first), all), /30:00/);
  assert.match(moment(Number(second), all), /30:20/);
  assert.doesNotMatch(moment(Number(later), all), /31:00/);
});

test("a message comes in pieces, so that a value may be more than text", () => {
  assert.deepEqual(pieces("{head}: {rest}!", { head: 1, rest: [2] }), ["", 1, ": ", [2], "!"]);
});

test("an error in a cell that ran first is told with that cell", () => {
  assert.equal(announcement("Cell 2", RESULT, ["Graph"], "cell 1"), "Cell 2: ZeroDivisionError in cell 1, line 2, Graph, 68 ms");
  assert.equal(announcement("Cell 1", RESULT, []), "Cell 1: ZeroDivisionError, line 2, 68 ms");
});

test("a check that had nothing to compare neither passes nor fails", () => {
  assert.equal(checkWords({ order: 1, passed: true }), "gradcheck passes");
  assert.equal(checkWords({ order: 1, passed: false }), "gradcheck fails");
  assert.equal(checkWords({ order: 1, passed: null }), "gradcheck compared nothing");
  assert.equal(checkWords({ order: 2, passed: null }), "gradgradcheck compared nothing");
});
