import assert from "node:assert/strict";
import { test } from "node:test";

import { groupPaths } from "../../../../static/js/lib/trace/path-groups.js";

const path = (/** @type {string} */ saved, /** @type {string} */ source, /** @type {number} */ line, gradient_of = source) =>
  /** @type {any} */ ({ saved, source, gradient_of, used: { line } });
const names = (/** @type {any[]} */ paths) => groupPaths(paths).map((group) => group.map(({ saved }) => saved));

test("paths from one input to one line are one group, others are not", () => {
  assert.deepEqual(names([path("up", "x", 9), path("down", "x", 9), path("up", "w", 9), path("up", "x", 8)]), [
    ["up", "down"],
    ["up"],
    ["up"],
  ]);
});

test("a saved tensor that several gradients use is named once", () => {
  assert.deepEqual(names([path("sum", "q", 9, "q"), path("sum", "q", 9, "k"), path("sum", "q", 9, "v")]), [["sum"]]);
});
