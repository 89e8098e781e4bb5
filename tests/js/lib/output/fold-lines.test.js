import assert from "node:assert/strict";
import { test } from "node:test";

import { blocksOf, FIRST, fold, LAST, STEP, stepFrom } from "../../../../static/js/lib/output/fold-lines.js";

test("a few lines are shown whole, and many with their first and last", () => {
  assert.equal(fold(30, 0).folded, 0);
  assert.deepEqual(fold(4335, 0), { folded: 4335 - FIRST - LAST, shown: 0 });
  assert.deepEqual(fold(100, 2000), { folded: 100 - FIRST - LAST, shown: 100 - FIRST - LAST });
});

test("folded lines are opened some at a time: fewer where they are of many pieces, and no few are left over", () => {
  assert.equal(
    stepFrom(6, 1_000_000, () => 2),
    STEP / 2,
  );
  assert.equal(
    stepFrom(6, 1_000_000, () => 200),
    STEP / 200,
  );
  assert.equal(
    stepFrom(6, 106, () => 2),
    100,
  );
  assert.equal(
    stepFrom(6, 6 + STEP / 2 + 9, () => 2),
    STEP / 2 + 9,
  );
});

test("blocks cover all lines once", () => {
  assert.deepEqual(blocksOf(6, 256), [
    [6, 106],
    [106, 206],
    [206, 256],
  ]);
  assert.deepEqual(blocksOf(6, 6), []);
});
