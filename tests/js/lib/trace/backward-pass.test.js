import assert from "node:assert/strict";
import { test } from "node:test";

import { BackwardPass } from "../../../../static/js/lib/trace/backward-pass.js";

const number = (/** @type {unknown} */ values, /** @type {number[]} */ ...shape) => ({ shape, dtype: "torch.float64", values });
const span = (/** @type {number} */ line) => ({ cell: "a", line, column: 0, end_line: line, end_column: 5 });

/** x * y, of which backward is called with 2, and x is a leaf whose `.grad` was 1 before. */
const GRAPH = /** @type {any} */ ({
  nodes: [
    { id: "n0", kind: "function", label: "MulBackward0", name: null, span: span(3) },
    { id: "t1_grad", kind: "accumulate_grad", label: "AccumulateGrad", name: null, span: null },
    { id: "t1", kind: "leaf", label: "x\n()", name: "x", span: null },
  ],
  edges: [
    { source: "t1", target: "t1_grad", kind: "gradient" },
    { source: "t1_grad", target: "n0", kind: "gradient" },
  ],
});
const step = (/** @type {object} */ more) => ({
  kind: "function",
  output: 0,
  received: [],
  senders: [],
  sent: [],
  grad: null,
  span: null,
  failed: false,
  ...more,
});
const replay = (/** @type {object[]} */ steps, /** @type {object} */ more = {}) =>
  /** @type {any} */ ({
    kind: "replay",
    id: "replay-1",
    call: "backward",
    number: 1,
    of: 1,
    steps,
    results: [],
    raised: false,
    note: null,
    ...more,
  });
const MUL = step({
  node: "n0",
  label: "MulBackward0",
  received: [number(2)],
  sent: [
    { node: "t1_grad", output: 0, gradient: number(6) },
    { node: null, output: 0, gradient: null },
  ],
});
const LEAF = step({ node: "t1_grad", label: "AccumulateGrad", received: [number(6)], grad: number(7) });

const words = (/** @type {any} */ record, graph = GRAPH) => new BackwardPass(record, graph).steps.map((each) => each.words);

test("a step says what a node receives and sends, and a leaf what its .grad becomes", () => {
  assert.deepEqual(words(replay([MUL, LEAF])), ["Mul receives 2 and sends 6 to x.", "x receives 6; its .grad is now 7."]);
  assert.deepEqual(words(replay([{ ...LEAF, grad: number(6) }])), ["x receives 6, which is now its .grad."]);
  const square = (/** @type {number} */ entry) =>
    number(
      [
        [entry, 0],
        [0, 1],
      ],
      2,
      2,
    );
  const large = { ...LEAF, received: [square(1)], grad: square(2) };
  assert.deepEqual(words(replay([large])), ["x receives a gradient of shape (2, 2), which is added to its .grad."]);
  assert.deepEqual(new BackwardPass(replay([large]), GRAPH).steps[0]?.sent, [{ name: ".grad", gradient: square(2) }]);
});

test("None is told apart from zeros", () => {
  const to = (/** @type {unknown} */ gradient) =>
    step({ node: "n0", label: "MulBackward0", received: [number(1)], sent: [{ node: "t1_grad", output: 0, gradient }] });
  assert.deepEqual(
    words(
      replay([
        to(null),
        to(number(0)),
        to(
          number(
            [
              [0, 0],
              [0, 0],
            ],
            2,
            2,
          ),
        ),
      ]),
    ),
    ["Mul receives 1 and sends None to x.", "Mul receives 1 and sends 0 to x.", "Mul receives 1 and sends zeros of shape (2, 2) to x."],
  );
  assert.deepEqual(words(replay([step({ node: "n0", label: "MulBackward0", received: [null], sent: [] })])), [
    "Mul receives None and sends nothing on.",
  ]);
});

test("where branches meet the sum is a step of its own", () => {
  const sum = step({
    kind: "sum",
    node: "n0",
    label: "MulBackward0",
    received: [number(2), number(3)],
    sent: [{ node: "n0", output: 0, gradient: number(5) }],
  });
  assert.deepEqual(words(replay([sum])), ["Gradients meet at Mul: 2 + 3 = 5."]);
});

test("nodes of one name are told apart by their lines, or by their ids", () => {
  const graph = {
    nodes: [...GRAPH.nodes, { id: "n1", kind: "function", label: "MulBackward0", name: null, span: span(4) }],
    edges: GRAPH.edges,
  };
  const other = step({ node: "n1", label: "MulBackward0", received: [number(1)], sent: [{ node: "n0", output: 0, gradient: number(2) }] });
  assert.deepEqual(words(replay([other, MUL]), graph), [
    "Mul of line 4 receives 1 and sends 2 to Mul of line 3.",
    "Mul of line 3 receives 2 and sends 6 to x.",
  ]);
  assert.equal(words(replay([other, MUL]))[0], "Mul (n1) receives 1 and sends 2 to Mul of line 3.");
});

test("a node that has received something else than was sent to it says that a hook changed it", () => {
  const leaf = { ...LEAF, received: [number(60)], grad: number(60) };
  assert.equal(words(replay([MUL, leaf]))[1], "A hook changed what was sent. x receives 60, which is now its .grad.");
});

test("a sum of branches, and what was not sent one by one, is no change by a hook", () => {
  const leaf = (/** @type {number} */ received) => ({ ...LEAF, received: [number(received)], grad: number(received) });
  const sum = step({
    kind: "sum",
    node: "t1_grad",
    label: "AccumulateGrad",
    received: [number(6), number(4)],
    sent: [{ node: "t1_grad", output: 0, gradient: number(10) }],
  });
  const said = (/** @type {object[]} */ ...steps) => words(replay(steps)).at(-1)?.startsWith("A hook changed");
  assert.equal(said(MUL, MUL, sum, leaf(10)), false);
  assert.equal(said(MUL, MUL, sum, leaf(11)), true);
  assert.equal(said(MUL, MUL, leaf(10)), false, "two came and their sum is not known");
});

test("an output for which no gradient came received nothing", () => {
  const two = { ...MUL, received: [number(2), null] };
  assert.equal(words(replay([two]))[0], "Mul receives 2, nothing and sends 6 to x.");
});

test("an exception shows the node that failed and what it had received", () => {
  const [failed] = new BackwardPass(replay([{ ...MUL, sent: [], failed: true, span: span(9) }], { raised: true }), GRAPH).steps;
  assert.equal(failed?.words, "Mul received 2 and raised an exception.");
  assert.equal(failed?.failed, true);
  assert.deepEqual(words(replay([], { raised: true })), ["The pass raised an exception before any node ran."]);
});

test("the last step of autograd.grad is what it returned", () => {
  const results = [
    { tensor: "t1", gradient: number([1, 2], 2) },
    { tensor: "t9", gradient: null },
  ];
  assert.equal(words(replay([MUL], { call: "grad", results })).at(-1), "grad returns [1, 2] for x, None for an input.");
});

test("edges carry what was sent along them until now; what this step sends is marked", () => {
  const pass = new BackwardPass(replay([MUL, LEAF]), GRAPH);
  assert.deepEqual(pass.labelsAt(0), [{ source: "t1_grad", target: "n0", words: "6", now: true }]);
  assert.deepEqual(pass.labelsAt(1), [{ source: "t1_grad", target: "n0", words: "6", now: false }]);
});

test("what a node sends twice to the same node is written once, with both", () => {
  const twice = step({
    node: "n0",
    label: "MulBackward0",
    received: [number(1)],
    sent: [
      { node: "t1_grad", output: 0, gradient: number(3) },
      { node: "t1_grad", output: 0, gradient: number(4) },
    ],
  });
  assert.equal(new BackwardPass(replay([twice]), GRAPH).labelsAt(0)[0]?.words, "3, 4");
});

test("a large gradient is described by its shape, complex entries and those that are no numbers are written", () => {
  const sends = (/** @type {unknown} */ gradient) => words(replay([{ ...MUL, received: [gradient], sent: [] }]))[0];
  assert.equal(sends(number(null, 64, 64)), "Mul receives a gradient of shape (64, 64) and sends nothing on.");
  assert.equal(sends(number([1, "nan", "-inf"], 3)), "Mul receives [1, nan, −∞] and sends nothing on.");
  assert.equal(sends(number([[1, -2]], 1)), "Mul receives [1−2j] and sends nothing on.");
  assert.equal(sends({ shape: null, dtype: null, values: null }), "Mul receives a gradient and sends nothing on.");
});
