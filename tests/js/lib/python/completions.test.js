import assert from "node:assert/strict";
import { test } from "node:test";

import { pythonLanguage } from "@codemirror/lang-python";

import { complete, lookUp } from "../../../../static/js/lib/python/completions.js";
import { EMPTY, Reference } from "../../../../static/js/lib/python/reference.js";

const reference = new Reference({
  versions: { torch: "2" },
  sites: { torch: "https://docs.test/", builtins: "https://python.test/" },
  modules: {
    builtins: { print: ["function", "(*args, sep=' ')", "Prints.", "functions.html#print"], sum: ["function", "(iterable, /)"] },
    torch: { sinh: ["function", "(input, *, out=None)", "Hyperbolic sine.", "="], nn: ["namespace"], relu_: ["function", "(input)"] },
    "torch.nn": { Linear: ["class", "(in_features, out_features)"] },
    "torch.nn.functional": { relu: ["function", "(input, inplace=False)", "", "="] },
    "torch.Tensor": { sum: ["method", "(dim=None)", "", "="], backward: ["method", "()"] },
    "torch.autograd": { gradcheck: ["function", "(func, inputs)"], Function: ["class"] },
    "torch.autograd.Function": { apply: ["method", "(*args)"] },
    "torch.autograd.function.FunctionCtx": { save_for_backward: ["method", "(*tensors)"], saved_tensors: ["property"] },
  },
});

/** The labels that are suggested at the bar in a text. @param {string} marked @param {{explicit?: boolean, from?: Reference}} [options] */
function labels(marked, { explicit = false, from = reference } = {}) {
  const position = marked.indexOf("|");
  const text = marked.replace("|", "");
  const found = complete({ text, tree: pythonLanguage.parser.parse(text), position, explicit }, from);
  return found ? found.suggestions.map((one) => one.label) : null;
}

test("a module's names come after its dot", () => {
  assert.deepEqual(labels("import torch\ntorch.|"), ["sinh", "nn", "relu_"]);
  assert.deepEqual(labels("import torch\ny = 2 * torch.nn.Li|"), ["Linear"]);
});

test("an alias is what it was imported as", () => {
  assert.deepEqual(labels("import torch as t\nt.|"), ["sinh", "nn", "relu_"]);
  assert.deepEqual(labels("import torch.nn.functional as G\nG.|"), ["relu"]);
  assert.deepEqual(labels("from torch import nn as layers\nlayers.|"), ["Linear"]);
  assert.deepEqual(labels("from torch.nn import (\n    functional as f,  # short\n    Linear,\n)\nf.|"), ["relu"]);
});

test("the customary names mean what they always mean, unless the text says otherwise", () => {
  assert.deepEqual(labels("F.|"), ["relu"]);
  assert.deepEqual(labels("nn.|"), ["Linear"]);
  assert.equal(labels("F = 3\nF.|"), null);
  assert.equal(labels("import numpy as F\nF.|", { explicit: true }), null);
});

test("an import offers modules, then names", () => {
  assert.deepEqual(labels("from torch.autograd import |", { explicit: true }), ["gradcheck", "Function"]);
  assert.deepEqual(labels("from torch.autograd import gradcheck, Fu|"), ["gradcheck", "Function"]);
  assert.deepEqual(labels("from torch.autograd import (gradcheck,\n    Fu|"), ["gradcheck", "Function"]);
  assert.deepEqual(labels("import torch.n|"), ["nn", "autograd"]);
  assert.deepEqual(labels("from to|"), ["torch"]);
  assert.equal(labels("import torch as to|"), null);
  assert.ok(labels("from torch im|")?.includes("import"));
});

const CUBE = "class Cube(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        ctx.n = 3\n        ";

test("ctx is the context of a Function, with what the text keeps on it", () => {
  assert.deepEqual(labels(`${CUBE}ctx.|`), ["save_for_backward", "saved_tensors", "n"]);
  assert.deepEqual(labels("class A:\n    def backward(c, g):\n        c.|"), ["save_for_backward", "saved_tensors"]);
  assert.equal(labels("class A:\n    def other(ctx):\n        ctx.|"), null);
  assert.equal(labels(`${CUBE}return x\n\nctx.|`), null);
});

test("a Function of the text has apply", () => {
  assert.deepEqual(labels(`${CUBE}return x\n\ny = Cube.|`), ["apply"]);
});

test("what nobody knows may be a tensor, but only when asked", () => {
  assert.equal(labels("x = f()\nx.|"), null);
  assert.deepEqual(labels("x = f()\nx.|", { explicit: true }), ["sum", "backward"]);
  assert.deepEqual(labels("f(2).|", { explicit: true }), ["sum", "backward"]);
  assert.deepEqual(labels("class A:\n    def f(self):\n        self.deep = 1\n        self.|"), ["deep"]);
  assert.equal(labels("1.|", { explicit: true })?.includes("sum") && labels("1.|"), null);
});

test("a bare name needs two letters, and knows the text's variables", () => {
  assert.equal(labels("weight = 1\nw|"), null);
  const found = labels("weight = 1\nwe|") ?? [];
  assert.equal(found[0], "weight");
  assert.ok(found.includes("while") && found.includes("print"));
  assert.ok(!labels("weight = 1\nother|")?.includes("other"));
});

test("texts, comments and the names of new functions are left alone", () => {
  for (const text of ["'torch.|'", "# torch.|", "x = f'torch.|'", "def pri|", "class Pri|", "x = 12|"])
    assert.equal(labels(text), null, text);
  assert.deepEqual(labels("import torch\nx = f'{torch.|}'"), ["sinh", "nn", "relu_"]);
});

test("without the reference Python's own words are left", () => {
  assert.ok(labels("pri|", { from: EMPTY })?.includes("print"));
  assert.equal(labels("torch.|", { from: EMPTY }), null);
});

test("a name is looked up with its dots", () => {
  const text = "import torch as t\nfrom torch import sinh\nlist = 3\n";
  const path = (/** @type {string} */ written) => lookUp(written, text, text.length, reference)?.path;
  assert.equal(path("t.sinh"), "torch.sinh");
  assert.equal(path("sinh"), "torch.sinh");
  assert.equal(path("print"), "builtins.print");
  assert.equal(path("x.sum"), "torch.Tensor.sum");
  assert.equal(path("?.sum"), "torch.Tensor.sum");
  assert.equal(path("t.sum"), undefined);
  assert.equal(path("self.sum"), undefined);
  assert.equal(path("list"), undefined);
  assert.equal(path("toString"), undefined);
  assert.equal(path("t.constructor"), undefined);
});

test("a name knows its documentation", () => {
  assert.equal(reference.find("torch.sinh")?.url, "https://docs.test/generated/torch.sinh.html#torch.sinh");
  assert.equal(reference.find("builtins.print")?.url, "https://python.test/functions.html#print");
  assert.equal(reference.find("torch.nn.Linear")?.url, "");
});
