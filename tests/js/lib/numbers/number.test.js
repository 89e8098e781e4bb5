import assert from "node:assert/strict";
import { test } from "node:test";

import { brief, exact, fit, size, subtract } from "../../../../static/js/lib/numbers/number.js";

test("numbers are short to read", () => {
  assert.deepEqual(
    [0.95108, -1.2e-9, 0, 123456, 12.345].map((value) => brief(value)),
    ["0.951", "−1.2e−9", "0", "1.2e5", "12.3"],
  );
  assert.deepEqual([brief("nan"), brief("inf"), brief("-inf"), brief([1, -2])], ["nan", "∞", "−∞", "1−2j"]);
});

test("a number fits into as many characters as there are", () =>
  assert.deepEqual([fit(-0.2951, 5), fit(0.4881, 5), fit(1e-6, 5)], [["−0.3"], ["0.488"], ["1e−6"]]));

test("a complex number is written in two pieces", () => {
  assert.deepEqual(
    [fit([-1.2345, 0.25], 5), fit([0, -2], 5), fit(["nan", "-inf"], 5), fit([0, 0], 5)],
    [["−1.23", "+0.25j"], ["0", "−2j"], ["nan", "−∞j"], ["0"]],
  );
});

test("files have every figure", () =>
  assert.deepEqual([exact(0.1 + 0.2), exact([1, -2]), exact("nan")], ["0.30000000000000004", "1-2j", "nan"]));

test("differences of infinities are not numbers", () =>
  assert.deepEqual([subtract("inf", "inf"), subtract(1, "inf"), subtract([1, 1], 1)], ["nan", "-inf", [0, 1]]));

test("a complex number is as large as its absolute value", () => assert.equal(size([3, 4]), 5));
