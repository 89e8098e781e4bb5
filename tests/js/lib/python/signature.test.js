import assert from "node:assert/strict";
import { test } from "node:test";

import { pythonLanguage } from "@codemirror/lang-python";

import { fittingSignature, parameterFor, parametersOf } from "../../../../static/js/lib/python/signature.js";
import { callAt } from "../../../../static/js/lib/python/syntax.js";

/** The call at the bar in a text. @param {string} marked */
function call(marked) {
  const text = marked.replace("|", "");
  return callAt(pythonLanguage.parser.parse(text), text, marked.indexOf("|"));
}

test("a signature has parameters with places", () => {
  const signature = "(input, size=(1, 2), *, out=None) -> (Tensor, Tensor)";
  const found = parametersOf(signature);
  assert.deepEqual(
    found.map(({ name }) => name),
    ["input", "size", "*", "out"],
  );
  assert.deepEqual(
    found.map(({ from, to }) => signature.slice(from, to)),
    ["input", "size=(1, 2)", "*", "out=None"],
  );
  assert.deepEqual(parametersOf("() -> Tensor"), []);
});

test("an argument belongs to its place, its keyword, or the rest", () => {
  const name = (/** @type {string} */ signature, index = 0, keyword = "") => parameterFor(signature, { index, keyword })?.name;
  assert.equal(name("(a, b=1)", 1), "b");
  assert.equal(name("(a, b=1)", 2), undefined);
  assert.equal(name("(a, *, out=None)", 1), undefined);
  assert.equal(name("(a, *, out=None)", 1, "out"), "out");
  assert.equal(name("(*args, sep=' ', **rest)", 4), "*args");
  assert.equal(name("(*args, sep=' ', **rest)", 4, "colour"), "**rest");
  assert.equal(name("(x, /, y)", 1), "y");
});

test("of several ways to call, the one with room is taken", () => {
  const ways = ["(input)", "(input, dim, keepdim=False)"];
  assert.equal(fittingSignature(ways, { index: 0, keyword: "" }), ways[0]);
  assert.equal(fittingSignature(ways, { index: 1, keyword: "" }), ways[1]);
  assert.equal(fittingSignature(ways, { index: 0, keyword: "keepdim" }), ways[1]);
  assert.equal(fittingSignature(ways, { index: 9, keyword: "" }), ways[0]);
});

test("the innermost call around the cursor counts", () => {
  assert.equal(call("torch.sum(x, torch.ones(2|))")?.callee, "torch.ones");
  assert.deepEqual(call("torch.sum(torch.ones(2), |)"), { at: 9, callee: "torch.sum", argument: { index: 1, keyword: "" } });
  assert.equal(call("torch.sum(x)|"), null);
  assert.equal(call("torch.sum|(x)"), null);
});

test("unfinished calls and keywords are understood", () => {
  assert.deepEqual(call("y = torch.sum(x, dim=|")?.argument, { index: 1, keyword: "dim" });
  assert.deepEqual(call("y = torch.sum(x, |\n\nprint(y)\n")?.callee, "torch.sum");
  assert.deepEqual(call("y = torch.sum(|\n")?.argument, { index: 0, keyword: "" });
  assert.deepEqual(call("f(a == |b)")?.argument, { index: 0, keyword: "" });
  assert.deepEqual(call("f([1, 2], (3, |4))")?.argument, { index: 1, keyword: "" });
});

test("a receiver that is no plain name is unknown", () => {
  assert.equal(call("f(2).sum(|)")?.callee, "?.sum");
  assert.equal(call("x[0].sum(|)")?.callee, "?.sum");
  assert.equal(call("class A(|): pass"), null);
});
