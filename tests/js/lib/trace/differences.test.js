import assert from "node:assert/strict";
import { test } from "node:test";

import { compare } from "../../../../static/js/lib/trace/differences.js";

const run = (/** @type {object} */ more = {}) =>
  /** @type {any} */ ({ outcome: "finished", error: null, stdout: "", stderr: "", records: [], ...more });
const graph = (/** @type {string[]} */ ...ids) => ({ kind: "graph", id: "graph-1", span: null, nodes: ids.map((id) => ({ id })) });

test("two runs that print and show the same have no differences, whatever the trace adds", () => {
  const traced = [
    graph("n0"),
    { kind: "replay", id: "replay-1" },
    { kind: "saved", id: "saved-1" },
    { kind: "traced_graph", id: "traced_graph-1" },
  ];
  assert.equal(compare(run({ stdout: "1\n", records: [graph("n0")] }), run({ stdout: "1\n", records: traced })), null);
});

test("printed lines that differ are named", () => {
  const differences = compare(run({ stdout: "same\n0x7f01\n" }), run({ stdout: "same\n0x7f02\n", stderr: "late" }));
  assert.deepEqual(differences, {
    ending: false,
    records: false,
    lines: [
      { line: 2, first: "0x7f01", second: "0x7f02" },
      { line: 1, first: "", second: "late" },
    ],
  });
});

test("another outcome, another line of the error, and other nodes are differences", () => {
  const raised = (/** @type {number} */ line) => run({ outcome: "raised", error: { type: "ValueError", cell: "a", line } });
  assert.equal(compare(raised(1), raised(1)), null);
  assert.equal(compare(raised(1), raised(2))?.ending, true);
  assert.equal(compare(run(), raised(1))?.ending, true);
  assert.equal(compare(run({ records: [graph("n0")] }), run({ records: [graph("n0", "n1")] }))?.records, true);
  assert.equal(compare(run({ records: [graph("n0")] }), run())?.records, true);
});

test("of many lines that differ the first twenty are named", () => {
  assert.equal(compare(run({ stdout: "a\n".repeat(100) }), run({ stdout: "b\n".repeat(100) }))?.lines.length, 20);
});
