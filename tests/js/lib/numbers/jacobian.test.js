import assert from "node:assert/strict";
import { test } from "node:test";

import { drawn, heat, HEAT_STEPS, index, negligible, toCsv, worst, worstBlock } from "../../../../static/js/lib/numbers/jacobian.js";

/** @typedef {import("../../../../static/js/lib/types.js").JacobianPair} JacobianPair */

/** @param {unknown} numerical @param {unknown} analytical @param {Partial<JacobianPair>} [more] @returns {JacobianPair} */
function pair(numerical, analytical, more = {}) {
  return /** @type {JacobianPair} */ ({ output: 0, input: 0, shape: [2, 2], numerical, analytical, blocks: null, failing: 1, ...more });
}

const ONE = [
  [2, 0],
  [0, 3],
];
const LARGE = pair(null, null, {
  shape: [66, 66],
  blocks: {
    rows: 4,
    columns: 4,
    entries: [[[1, 2, 5, 5]], [[7, 1, 1, 0]]],
    worst: {
      row: 4,
      column: 0,
      numerical: [
        [0, 2],
        [0, 1],
      ],
      analytical: [
        [0, 2],
        [0, 0],
      ],
    },
  },
});

test("of what is there whole each entry is drawn", () => {
  assert.deepEqual(
    drawn(
      pair(ONE, [
        [2, 0],
        [0, 1],
      ]),
    )
      .flat()
      .map((one) => [one.row, one.column, one.difference]),
    [
      [0, 0, 0],
      [0, 1, 0],
      [1, 0, 0],
      [1, 1, 2],
    ],
  );
  assert.deepEqual(worstBlock(pair(ONE, ONE)), []);
});

test("of what came by blocks one entry of each is drawn, and the worst block whole", () => {
  assert.deepEqual(
    drawn(LARGE).map((row) => row.map((one) => [one.row, one.column, one.difference])),
    [[[1, 2, 0]], [[7, 1, 1]]],
  );
  assert.deepEqual(
    worstBlock(LARGE).map((row) => row.map((one) => [one.row, one.column, one.difference])),
    [
      [
        [4, 0, 0],
        [4, 1, 0],
      ],
      [
        [5, 0, 0],
        [5, 1, 1],
      ],
    ],
  );
});

test("of a large Jacobian from before there were blocks nothing is drawn", () => {
  const { blocks: _, ...earlier } = pair(null, null, { failing: 7 });
  const old = /** @type {JacobianPair} */ (earlier);
  assert.deepEqual(
    [drawn(old), worstBlock(old), worst(drawn(old)), toCsv(old)],
    [[], [], null, "input_index,output_index,numerical,analytical,difference\r\n"],
  );
});

test("values that are not numbers are the worst, and what does not differ is not", () => {
  const top = worst(
    drawn(
      pair(ONE, [
        [2, 0],
        ["nan", 9],
      ]),
    ),
  );
  assert.deepEqual([top?.row, top?.column], [1, 0]);
  assert.equal(worst(drawn(pair(ONE, ONE))), null);
});

test("an entry has the indices of its tensor", () => {
  assert.deepEqual(
    [index(7, [2, 4]), index(7, [8]), index(0, []), index(23, [2, 3, 4]), index(0, [1, 1])],
    ["[1, 3]", "[7]", "", "[1, 2, 3]", "[0, 0]"],
  );
  assert.equal(index(7, undefined), "[7]"); // as results were stored before shapes were sent
});

test("heat goes from nothing to all of its steps", () =>
  assert.deepEqual([heat(0, 2), heat(0.001, 2), heat(2, 2), heat("inf", 2)], [0, 1, HEAT_STEPS, 0]));

test("a difference of sides with opposite signs is larger than both, and as hot as can be", () => assert.equal(heat(4, 2), HEAT_STEPS));

test("a difference within the tolerance is nothing beside one that is not", () => {
  const noisy = pair(ONE, [
    [2, 1e-13],
    [0.5, 3],
  ]);
  assert.equal(negligible(noisy, 1e-5), 1e-5);
  assert.equal(
    negligible(
      pair(ONE, [
        [2, 1e-13],
        ["nan", 3],
      ]),
      1e-5,
    ),
    1e-5,
  );
  assert.equal(negligible(pair([[1e-7]], [[0]]), 1e-5), 0);
  assert.equal(negligible(pair(ONE, ONE, { failing: 0 }), 1e-5), Infinity);
});

test("a file has one line for each entry, with every figure", () => {
  assert.equal(toCsv(pair([[0.1]], [["nan"]])), "input_index,output_index,numerical,analytical,difference\r\n0,0,0.1,nan,nan\r\n");
});

test("a file has what came by blocks, each entry once", () => {
  const lines = toCsv(
    pair(null, null, {
      blocks: {
        rows: 4,
        columns: 4,
        entries: [[[1, 0, 1, 0]]],
        worst: { row: 0, column: 0, numerical: [[2], [1]], analytical: [[2], [0]] },
      },
    }),
  ).split("\r\n");
  assert.deepEqual(lines.slice(1), ["1,0,1,0,1", "0,0,2,2,0", ""]);
});

test("the file of a projection names no entry", () => {
  assert.equal(toCsv(pair([[3.5]], [[7]], { shape: [3, 70] }), true), "numerical,analytical,difference\r\n3.5,7,-3.5\r\n");
});
