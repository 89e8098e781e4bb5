import assert from "node:assert/strict";
import { test } from "node:test";

import { neighbours, rows } from "../../static/js/lib/graph-twin.js";

/** @typedef {import("../../static/js/lib/types.js").GraphRecord} GraphRecord */

const graph = /** @type {GraphRecord} */ (
  /** @type {unknown} */ ({
    nodes: [
      { id: "n0", kind: "output", label: "out\n (3)", name: "out" },
      { id: "n1", kind: "function", label: "ExpBackward0", name: null },
      { id: "n2", kind: "leaf", label: "x\n (3)", name: "x" },
      { id: "n3", kind: "output", label: "grad_x\n (3)", name: "grad_x" },
    ],
    edges: [
      { source: "n1", target: "n0", missing: false },
      { source: "n2", target: "n1", missing: false },
      { source: "n2", target: "n3", missing: true },
      { source: "n9", target: "n0", missing: false },
    ],
  })
);

test("nodes are listed from the inputs to the outputs", () => {
  const listed = rows(graph).map((row) => row.label);
  assert.ok(listed.indexOf("x") < listed.indexOf("ExpBackward0"));
  assert.ok(listed.indexOf("ExpBackward0") < listed.indexOf("out"));
  assert.equal(listed.length, 4);
});

test("a node that only a missing path would reach is alone", () => {
  assert.deepEqual(rows(graph).filter((row) => row.isolated).map((row) => row.label), ["grad_x"]);
});

test("a circle does not hide nodes", () => {
  const circle = { ...graph, edges: [{ source: "n0", target: "n1", missing: false }, { source: "n1", target: "n0", missing: false }] };
  assert.equal(rows(circle).length, 4);
});


test("neighbours of one name are counted", () => {
  const many = { ...graph, edges: ["n0", "n3", "n3"].map((target) => ({ source: "n1", target, missing: false })) };
  const row = rows(many).find(({ node }) => node.id === "n1");
  assert.deepEqual(row && neighbours(row), [{ label: "out", missing: false, times: 1 }, { label: "grad_x", missing: false, times: 2 }]);
});
