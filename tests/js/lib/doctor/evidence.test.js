import assert from "node:assert/strict";
import { test } from "node:test";

import { evidenceOf } from "../../../../static/js/lib/doctor/evidence.js";

const SAVED = {
  kind: "saved",
  id: "saved-1",
  call: "call1",
  node: "n0",
  saved: [
    { tensor: "t1", name: "ctx.up" },
    { tensor: "t2", name: "x" },
  ],
};
const REPLAY = {
  kind: "replay",
  id: "replay-1",
  graph: "traced_graph-1",
  steps: [{ node: "n1" }, { node: "n0" }, { node: "n2", failed: true }],
};
const GRAPH = { kind: "traced_graph", id: "traced_graph-1", nodes: [{ id: "n0" }, { id: "n9" }] };
const SECOND = [GRAPH, REPLAY, SAVED];
const CHECK = { kind: "gradcheck", id: "gradcheck-1" };

/** @param {string[]} evidence @param {object} [values] @param {object[]} [first] */
function show(evidence, values = {}, first = []) {
  return evidenceOf(/** @type {any} */ ({ evidence, values }), /** @type {any} */ (first), /** @type {any} */ (SECOND));
}

test("a saved tensor is a row, by its id or by the name that the words mention", () => {
  assert.deepEqual(show(["t2"]), { view: "saved", call: SAVED, tensor: "t2" });
  assert.deepEqual(show(["saved-1"], { name: "up" }), { view: "saved", call: SAVED, tensor: "t1" });
  assert.deepEqual(show(["call1"], { name: "ctx.up" }), { view: "saved", call: SAVED, tensor: "t1" });
  assert.deepEqual(show(["saved-1"]), { view: "saved", call: SAVED, tensor: null });
});

test("a pass is its step at the node that is named, else the one that failed", () => {
  assert.deepEqual(show(["replay-1", "n0"]), { view: "steps", replay: REPLAY, step: 1 });
  assert.deepEqual(show(["replay-1"]), { view: "steps", replay: REPLAY, step: 2 });
});

test("a graph is its node, or the path that is missing", () => {
  assert.deepEqual(show(["n9"]), { view: "graph", graph: GRAPH, node: "n9" });
  assert.deepEqual(show(["traced_graph-1"]), { view: "graph", graph: GRAPH, node: null });
});

test("a check that the first run shows is the best evidence, and what no run shows is none", () => {
  assert.deepEqual(show(["t1", "gradcheck-1"], {}, [CHECK]), { view: "record", id: "gradcheck-1" });
  assert.equal(show(["gradcheck-1"]), null);
  assert.equal(show([]), null);
});
