import assert from "node:assert/strict";
import { test } from "node:test";

import { CLOSEST, isCloser, pan, parseBox, zoom } from "../../static/js/lib/view-box.js";

/** @type {import("../../static/js/lib/view-box.js").Box} */
const whole = [0, 0, 200, 100];

test("zooming in keeps the point under the finger", () => assert.deepEqual(zoom(whole, whole, 2, 0.25, 0.5), [25, 25, 100, 50]));

test("zooming never goes beyond the whole or too close", () => {
  assert.deepEqual(zoom(whole, whole, 0.1), whole);
  assert.equal(zoom(whole, whole, 1000)[2], 200 / CLOSEST);
});

test("the picture cannot be pushed out of sight", () => assert.deepEqual(pan([50, 25, 100, 50], whole, 9, -9), [100, 0, 100, 50]));

test("the whole is not closer", () => assert.deepEqual([isCloser(whole, whole), isCloser([0, 0, 100, 50], whole)], [false, true]));

test("a view box is read, and a broken one does no harm", () => assert.deepEqual([parseBox("0 1,2 3"), parseBox("none")], [[0, 1, 2, 3], [0, 0, 100, 100]]));
