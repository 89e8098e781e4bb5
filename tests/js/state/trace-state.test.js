import assert from "node:assert/strict";
import { test } from "node:test";

import { answering, openLesson, RESULT } from "../lesson_page.js";

const GRAPH = { kind: "graph", id: "graph-1", span: null, nodes: [] };
const TRACED = { kind: "traced_graph", id: "traced_graph-1", span: null, nodes: [], graph: 1 };
const FIRST = { ...RESULT, runtime: "torch", records: [GRAPH] };
const SECOND = { ...FIRST, id: "r2", records: [GRAPH, TRACED] };
/** @type {[string, object]} */
const GAVE_WAY = ["error", { code: "gave_way", message: "It gave way to another run." }];

/** @param {() => boolean} happened */
async function until(happened) {
  while (!happened()) await new Promise((resolve) => setImmediate(resolve));
}

test("after a run that showed a graph the second run is asked for by its id", async () => {
  const { second } = openLesson();
  const asked = answering([["result", FIRST]], [["result", SECOND]]);
  await second.start();
  await until(() => second.trace.phase.value === "ready");
  assert.deepEqual([asked[1]?.url, asked[1]?.body], ["/api/runs/r1/trace", { lang: "en" }]);
  assert.deepEqual(second.trace.records.value, SECOND.records);
  assert.equal(second.trace.differences.value, null);
  assert.deepEqual(second.run.value.records, [GRAPH], "what the first run showed stays");
});

test("a run without a graph is run again only if its program runs backward, or defines how", async () => {
  const { second } = openLesson();
  const first = () => /** @type {[string, object][]} */ ([["result", { ...FIRST, records: [] }]]);
  const traced = () => /** @type {[string, object][]} */ ([["result", SECOND]]);
  const asked = answering(first(), first(), traced(), first(), traced(), first(), traced());
  await second.start();
  assert.equal(asked.length, 1);
  for (const text of ["class Cube(torch.autograd.Function): ...", "y.backward()", "torch.autograd.grad(y, x)"]) {
    asked.length = 0;
    second.edit(text);
    await second.start();
    await until(() => second.trace.phase.value === "ready");
    assert.equal(asked.length, 2, text);
  }
});

test("a run of TensorFlow or JAX is run again if its program computes gradients", async () => {
  const { second } = openLesson();
  for (const [runtime, text] of /** @type {[string, string][]} */ ([
    ["tensorflow", "with tf.GradientTape() as tape: ..."],
    ["jax", "jax.value_and_grad(f)(x)"],
    ["jax", "y, pull = jax.vjp(f, x)"],
    ["jax", "jax.jacrev(f)(x)"],
    ["jax", "jax.hessian(f)(x)"],
  ])) {
    const asked = answering([["result", { ...FIRST, runtime, records: [] }]], [["result", { ...SECOND, runtime }]]);
    second.edit(text);
    await second.start();
    await until(() => second.trace.phase.value === "ready");
    assert.equal(asked.length, 2, text);
  }
});

for (const [why, result] of /** @type {[string, object][]} */ ([
  ["that was recorded", { ...FIRST, recorded: { mark: "", remedy: "" } }],
  ["that ran out of time", { ...FIRST, outcome: "timed_out" }],
]))
  test(`a run ${why} is not run again`, async () => {
    const { second } = openLesson();
    const asked = answering([["result", result]]);
    await second.start();
    assert.equal(asked.length, 1);
    assert.equal(second.trace.phase.value, "none");
  });

test("a second run that gave way is not asked for again until a view is opened, and is then an ordinary run of the text that ran", async () => {
  const { second } = openLesson();
  const asked = answering([["result", FIRST]], [GAVE_WAY], [["result", SECOND]]);
  await second.start();
  await until(() => asked.length === 2 && second.trace.phase.value === "none");
  second.edit("print(x + 1)");
  await second.trace.open();
  assert.equal(asked[2]?.url, "/api/runs");
  assert.deepEqual(asked[2]?.body, { source: "print(x)", cell: "second", sources: {}, instruments: ["trace", "doctor"] });
  assert.equal(second.trace.phase.value, "ready");
});

test("if that fails, too, the view says why and can try again", async () => {
  const { second } = openLesson();
  answering([["result", FIRST]], [GAVE_WAY], [["error", { code: "broken", message: "It broke." }]], [["result", SECOND]]);
  await second.start();
  await until(() => second.trace.phase.value === "none");
  await second.trace.open();
  assert.deepEqual([second.trace.phase.value, second.trace.message.value], ["failed", "It broke."]);
  await second.trace.open();
  assert.equal(second.trace.phase.value, "ready");
});

test("results of an earlier visit are run again when a view is opened", async () => {
  const { second } = openLesson();
  const asked = answering([["result", SECOND]]);
  second.restore({
    at: 1,
    sources: { first: "x = 2", second: "print(x)" },
    state: { ...second.run.value, phase: "done", records: [], result: /** @type {any} */ (FIRST) },
  });
  await second.trace.open();
  assert.deepEqual(asked[0]?.body, { source: "print(x)", cell: "second", sources: { first: "x = 2" }, instruments: ["trace", "doctor"] });
});

test("the next run discards the second run of the one before", async () => {
  const { second } = openLesson();
  answering([["result", FIRST]], [["result", SECOND]], []);
  await second.start();
  await until(() => second.trace.phase.value === "ready");
  const next = second.start();
  assert.equal(second.trace.phase.value, "none");
  assert.deepEqual(second.trace.records.value, []);
  await next;
});

test("while a question about the cell is open, nothing is run again", async () => {
  const { second } = openLesson();
  const told = { value: null };
  second.predictions.value = /** @type {any} */ ([{ told }]);
  const asked = answering([["result", FIRST]]);
  await second.start();
  await second.trace.open();
  assert.equal(asked.length, 1);
});
