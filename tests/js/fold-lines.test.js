import assert from "node:assert/strict";
import { test } from "node:test";

import { blocksOf, FIRST, fold, LAST, STEP } from "../../static/js/lib/fold-lines.js";

test("a few lines are shown whole, and many with their first and last", () => {
  assert.equal(fold(30, 0).folded, 0);
  assert.deepEqual(fold(4335, 0), { folded: 4335 - FIRST - LAST, shown: 0, step: STEP });
});

test("folded lines are opened some at a time, and never more than there are", () => {
  const folded = 3 * STEP + 50;
  const count = FIRST + LAST + folded;
  assert.deepEqual(fold(count, STEP), { folded, shown: STEP, step: STEP });
  assert.deepEqual(fold(count, 2 * STEP), { folded, shown: 2 * STEP, step: STEP + 50 }, "no few that are left over");
  assert.deepEqual(fold(count, folded), { folded, shown: folded, step: 0 });
});

test("blocks cover all lines once", () => {
  assert.deepEqual(blocksOf(6, 256), [[6, 106], [106, 206], [206, 256]]);
  assert.deepEqual(blocksOf(6, 6), []);
});
