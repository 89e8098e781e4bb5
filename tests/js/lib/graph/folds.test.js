import assert from "node:assert/strict";
import { test } from "node:test";

import { Exploration } from "../../../../static/js/lib/graph/exploration.js";
import { Folds } from "../../../../static/js/lib/graph/folds.js";
import { next, search } from "../../../../static/js/lib/graph/search.js";

const node = (/** @type {string} */ id, kind = "function", label = "SinBackward0") => ({
  id,
  kind,
  label,
  name: null,
  shape: null,
  dtype: null,
  line: Number(id.slice(1)) || null,
  order: 1,
  column: null,
  sequence: null,
  saved_role: null,
  makes: null,
});
const graph = /** @type {any} */ ({
  cell: null,
  nodes: [node("n0", "leaf", "x\n (3)"), node("n1"), node("n2"), node("n3"), node("n4", "output", "y\n (3)")],
  edges: [0, 1, 2, 3].map((index) => ({ source: `n${index}`, target: `n${index + 1}`, kind: "gradient", missing: false })),
  svg: "<svg/>",
  folded_svg: "<svg/>",
  folds: [{ id: "f0", label: "SinBackward0 × 3", times: 3, nodes: ["n1", "n2", "n3"], svg: null }],
});

test("a fold knows its lines, and what is in it", () => {
  const folds = new Folds(graph);
  const fold = /** @type {any} */ (folds.all.get("f0"));
  assert.deepEqual(folds.lines(fold), [1, 3]);
  assert.deepEqual(folds.contents(fold), { names: ["SinBackward0"], more: 0 });
  assert.equal(folds.standIn("folded", "n2"), "f0");
  assert.equal(folds.standIn("whole", "n2"), "n2");
});

test("a graph without folds, as one that was kept from before, opens whole", () => {
  const { folds, folded_svg, ...old } = graph;
  assert.equal(new Exploration(old).scene?.name, "whole");
  assert.equal(new Exploration({ ...old, svg: null }).scene, null);
});

test("a fold without a picture of its own unfolds in the whole graph, or as a list", () => {
  const exploration = new Exploration(graph);
  const fold = /** @type {any} */ (exploration.folds.all.get("f0"));
  exploration.unfold(fold);
  assert.deepEqual([exploration.scene?.name, exploration.selected, [...exploration.marked]], ["whole", "n1", ["n1", "n2", "n3"]]);
  const folded = new Exploration({ ...graph, svg: null });
  folded.unfold(fold);
  assert.deepEqual([folded.scene?.name, folded.listing, folded.listed.length], ["folded", true, 3]);
});

test("search finds by name, kind and id", () => {
  const { rows } = new Exploration(graph);
  const kind = (/** @type {any} */ row) => row.node.kind;
  assert.deepEqual(search(rows, "sin", kind), ["n3", "n2", "n1"]);
  assert.deepEqual(search(rows, "LEAF", kind), ["n0"]);
  assert.deepEqual(search(rows, "n4", kind), ["n4"]);
  assert.deepEqual(search(rows, "  ", kind), []);
});

test("matches go round", () =>
  assert.deepEqual([next(-1, 1, 3), next(2, 1, 3), next(0, -1, 3), next(-1, -1, 3), next(0, 1, 0)], [0, 0, 2, 2, -1]));
