import assert from "node:assert/strict";
import { test } from "node:test";

import { GraphWalk } from "../../../../static/js/lib/graph/walk.js";

const box = (/** @type {string} */ id, /** @type {number} */ x, /** @type {number} */ y) => ({ id, x, y, width: 60, height: 30 });

/** A leaf over its function, a saved tensor beside it, and under it an output and what was saved of that, whose edge points up. */
const walk = new GraphWalk(
  [box("x", 100, 0), box("f", 100, 50), box("saved", 200, 50), box("out", 50, 100), box("result", 160, 100)],
  [
    { source: "x", target: "f" },
    { source: "f", target: "saved" },
    { source: "f", target: "out" },
    { source: "result", target: "f" },
  ],
);

test("an arrow up or down goes along an edge to what is drawn there, whichever way the edge points", () => {
  assert.equal(walk.step("result", "ArrowUp"), "f");
  assert.equal(walk.step("result", "ArrowDown"), null);
  assert.equal(walk.step("f", "ArrowDown"), "out");
  assert.equal(walk.step("f", "ArrowUp"), "x");
  assert.equal(walk.step("x", "ArrowUp"), null);
});

test("what is drawn beside is reached from the side only", () => {
  assert.equal(walk.step("saved", "ArrowUp"), null);
  assert.equal(walk.step("saved", "ArrowDown"), null);
  assert.equal(walk.step("f", "ArrowRight"), "saved");
  assert.equal(walk.step("saved", "ArrowLeft"), "f");
  assert.equal(walk.step("out", "ArrowRight"), "result");
});

test("one walks along edges and to what stands beside", () => {
  const box = (/** @type {string} */ id, /** @type {number} */ x, /** @type {number} */ y) => ({ id, x, y, width: 40, height: 20 });
  const walk = new GraphWalk(
    [box("a", 0, 0), box("b", -50, 60), box("c", 10, 60), box("d", 100, 60)],
    [
      ["a", "b"],
      ["a", "c"],
      ["c", "c"],
    ].map(([source = "", target = ""]) => ({ source, target })),
  );
  assert.equal(walk.step("a", "ArrowDown"), "c");
  assert.equal(walk.step("c", "ArrowLeft"), "b");
  assert.equal(walk.step("c", "ArrowRight"), "d");
  assert.equal(walk.step("c", "ArrowUp"), "a");
  assert.equal(walk.step("c", "ArrowDown"), null);
  assert.deepEqual([...walk.near("c")].sort(), ["a", "c"]);
});
