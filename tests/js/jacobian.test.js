import assert from "node:assert/strict";
import { test } from "node:test";

import { find, heat, HEAT_STEPS, mostDifferent, negligible, places, toCsv, worst } from "../../static/js/lib/jacobian.js";

/** @typedef {import("../../static/js/lib/types.js").JacobianPair} JacobianPair */

/** @param {unknown} numerical @param {unknown} analytical @param {Partial<JacobianPair>} [more] @returns {JacobianPair} */
function pair(numerical, analytical, more = {}) {
  return /** @type {JacobianPair} */ ({ output: 0, input: 0, shape: [2, 2], numerical, analytical, worst: null, failing: 1, ...more });
}

const ONE = [[2, 0], [0, 3]];

test("a check that passes says that the two agree", () => assert.equal(find(pair(ONE, ONE, { failing: 0 }), true).fact, "agree"));

test("zero everywhere is named", () => assert.equal(find(pair(ONE, [[0, 0], [0, 0]]), false).fact, "zero"));

test("a backward that is not zero where it should be is named", () => assert.equal(find(pair([[0, 0], [0, 0]], ONE), false).fact, "not-zero"));

test("a common factor is named, also the wrong sign", () => {
  assert.deepEqual(find(pair(ONE, [[4, 0], [0, 6]]), false), { fact: "factor", factor: 2 });
  assert.deepEqual(find(pair(ONE, [[-2, 0], [0, -3]]), false), { fact: "factor", factor: -1 });
});

test("a transpose is named", () => assert.equal(find(pair([[1, 2], [3, 4]], [[1, 3], [2, 4]]), false).fact, "transposed"));

test("nothing is claimed of what fits no pattern", () => assert.equal(find(pair([[1, 2], [3, 4]], [[1, 2], [3, 9]]), false).fact, "differ"));

test("values that are not numbers are named, and are the worst", () => {
  const nan = pair(ONE, [[2, 0], ["nan", 9]]);
  assert.equal(find(nan, false).fact, "not-a-number");
  assert.deepEqual([worst(nan)?.row, worst(nan)?.column], [1, 0]);
});

test("a large Jacobian has the worst entries that were kept", () => {
  const large = pair(null, null, { worst: [{ row: 7, column: 9, numerical: 1, analytical: 0 }] });
  assert.deepEqual(places(large).map((one) => [one.row, one.column, one.difference]), [[7, 9, 1]]);
  assert.equal(find(large, false).fact, "differ");
});

test("the entries that differ most come first, wherever they are, and none that agree", () => {
  const numerical = Array.from({ length: 3 }, () => new Array(70).fill(0));
  const analytical = numerical.map((entries) => [...entries]);
  Object.assign(analytical[2] ?? [], { 65: 1 });
  Object.assign(analytical[0] ?? [], { 0: 0.5, 1: "nan" });
  const found = mostDifferent(pair(numerical, analytical, { shape: [3, 70] }), 20);
  assert.deepEqual(found.map((one) => [one.row, one.column]), [[0, 1], [2, 65], [0, 0]]);
});

test("complex entries are compared as such", () => assert.equal(find(pair([[[1, 2]]], [[[1, 3]]], { shape: [1, 1] }), false).fact, "differ"));

test("heat goes from nothing to all of its steps", () => assert.deepEqual([heat(0, 2), heat(0.001, 2), heat(2, 2), heat("inf", 2)], [0, 1, HEAT_STEPS, 0]));

test("a difference within the tolerance is nothing beside one that is not", () => {
  const noisy = pair(ONE, [[2, 1e-13], [0.5, 3]]);
  assert.equal(negligible(noisy, 1e-5), 1e-5);
  assert.equal(negligible(pair(ONE, [[2, 1e-13], ["nan", 3]]), 1e-5), 1e-5);
  assert.equal(negligible(pair([[1e-7]], [[0]]), 1e-5), 0);
  assert.equal(negligible(pair(ONE, ONE, { failing: 0 }), 1e-5), Infinity);
});

test("a file has one line for each entry, with every figure", () => {
  assert.equal(toCsv(pair([[0.1]], [["nan"]])), "input_index,output_index,numerical,analytical,difference\r\n0,0,0.1,nan,nan\r\n");
});

test("the file of a projection names no entry", () => {
  assert.equal(toCsv(pair([[3.5]], [[7]], { shape: [3, 70] }), true), "numerical,analytical,difference\r\n3.5,7,-3.5\r\n");
});
