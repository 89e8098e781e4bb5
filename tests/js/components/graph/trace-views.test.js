import assert from "node:assert/strict";
import { test } from "node:test";

import { TraceViews } from "../../../../static/js/components/graph/trace-views.js";
import { answering, openLesson, RESULT } from "../../lesson_page.js";

const TRACED = { kind: "traced_graph", id: "traced_graph-1", span: null, nodes: [], edges: [], graph: 0, title: "jax.vjp" };
const REPLAY = { kind: "replay", id: "replay-1", span: null, graph: null, steps: [] };

/**
 * The views of a graph in a cell, after its program ran and was traced.
 * @param {string} runtime
 * @param {object[]} records of the second run
 */
async function viewsOf(runtime, records) {
  const { second } = openLesson();
  const first = { ...RESULT, runtime, records: [{ kind: "graph", id: "graph-1", span: null, nodes: [] }] };
  answering([["result", first]], [["result", { ...first, id: "r2", records }]]);
  await second.start();
  while (second.trace.phase.value !== "ready") await new Promise((resolve) => setImmediate(resolve));
  return new TraceViews({ record: null, cell: second, requestUpdate: () => undefined }).views;
}

test("of PyTorch all views are offered", async () => {
  assert.deepEqual(await viewsOf("torch", []), ["graph", "steps", "saved"]);
});

test("of another framework only the views that have something are offered", async () => {
  assert.deepEqual(await viewsOf("jax", [TRACED]), ["graph"]);
  assert.deepEqual(await viewsOf("tensorflow", [TRACED, REPLAY]), ["graph", "steps"]);
});

test("before a program has run, the graph is the only view", () => {
  const { second } = openLesson();
  assert.deepEqual(new TraceViews({ record: null, cell: second, requestUpdate: () => undefined }).views, ["graph"]);
});
