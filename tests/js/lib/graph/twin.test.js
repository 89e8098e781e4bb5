import assert from "node:assert/strict";
import { test } from "node:test";

import { counted, rows } from "../../../../static/js/lib/graph/twin.js";

/** @typedef {import("../../../../static/js/lib/types.js").GraphRecord} GraphRecord */

const graph = /** @type {GraphRecord} */ (
  /** @type {unknown} */ ({
    nodes: [
      { id: "n0", kind: "output", label: "out\n (3)", name: "out" },
      { id: "n1", kind: "function", label: "ExpBackward0", name: null },
      { id: "n2", kind: "leaf", label: "x\n (3)", name: "x" },
      { id: "n3", kind: "output", label: "grad_x\n (3)", name: "grad_x" },
    ],
    edges: [
      { source: "n1", target: "n0", kind: "gradient", missing: false },
      { source: "n2", target: "n1", kind: "gradient", missing: false },
      { source: "n2", target: "n3", kind: "missing", missing: true },
      { source: "n9", target: "n0", kind: "gradient", missing: false },
    ],
  })
);

test("nodes are listed from the outputs to the leaves", () => {
  const listed = rows(graph).map((row) => row.label);
  assert.ok(listed.indexOf("out") < listed.indexOf("ExpBackward0"));
  assert.ok(listed.indexOf("ExpBackward0") < listed.indexOf("x"));
  assert.equal(listed.length, 4);
});

test("a node sends gradients against the arrows, and receives them from where the arrows go", () => {
  const exp = rows(graph).find(({ node }) => node.id === "n1");
  assert.deepEqual(exp?.sendsTo, [{ label: "x", missing: false }]);
  assert.deepEqual(exp?.receivesFrom, [{ label: "out", missing: false }]);
});

test("what is saved and what is viewed is on no path of gradients, whichever way its edge points", () => {
  const saving = /** @type {GraphRecord} */ (
    /** @type {unknown} */ ({
      nodes: [
        { id: "n0", kind: "saved", label: "result\n (3)", name: "result" },
        { id: "n1", kind: "function", label: "ExpBackward0", name: null },
        { id: "n2", kind: "saved", label: "self\n (3)", name: "self" },
        { id: "n3", kind: "tensor", label: "z\n (3)", name: "z" },
        { id: "n4", kind: "output", label: "out\n (3)", name: "out" },
      ],
      edges: [
        { source: "n0", target: "n1", kind: "saved", missing: false },
        { source: "n1", target: "n2", kind: "saved", missing: false },
        { source: "n3", target: "n4", kind: "view", missing: false },
      ],
    })
  );
  const listed = rows(saving);
  assert.deepEqual(
    listed.map(({ label }) => label),
    ["ExpBackward0", "out", "result", "self", "z"],
  );
  assert.ok(listed.every(({ sendsTo, receivesFrom }) => !sendsTo.length && !receivesFrom.length));
  assert.deepEqual(
    listed.map(({ savedFor, viewOf }) => [...savedFor, ...viewOf].map(({ label }) => label).join()),
    ["", "z", "ExpBackward0", "ExpBackward0", ""],
  );
});

test("a node that only a missing path would reach is alone", () => {
  assert.deepEqual(
    rows(graph)
      .filter((row) => row.isolated)
      .map((row) => row.label),
    ["grad_x"],
  );
});

test("a circle does not hide nodes", () => {
  const circle = {
    ...graph,
    edges: ["n0n1", "n1n0"].map((ends) => ({
      source: ends.slice(0, 2),
      target: ends.slice(2),
      kind: /** @type {const} */ ("gradient"),
      missing: false,
    })),
  };
  assert.equal(rows(circle).length, 4);
});

test("neighbours of one name are counted", () => {
  const many = {
    ...graph,
    edges: ["n0", "n3", "n3"].map((target) => ({ source: "n1", target, kind: /** @type {const} */ ("gradient"), missing: false })),
  };
  const row = rows(many).find(({ node }) => node.id === "n1");
  assert.deepEqual(row && counted(row.receivesFrom), [
    { label: "out", missing: false, times: 1 },
    { label: "grad_x", missing: false, times: 2 },
  ]);
});
