import assert from "node:assert/strict";
import { test } from "node:test";

import { defines } from "../../../../static/js/lib/python/defined-names.js";

const SOURCE = `import torch
import numpy as np
from torch.autograd import Function, gradcheck
x = torch.ones(3)
(grad_x,) = torch.autograd.grad(x.sum(), x)
a, b = 1, 2
n: int = 3
class Cube(Function):
    inner = 1
def second(out, inp):
    local = out
for step in range(3): pass
y == x
print(z)
`;

test("names are found where they are given", () => {
  for (const name of ["torch", "np", "Function", "gradcheck", "x", "grad_x", "a", "b", "n", "Cube", "second", "step"])
    assert.equal(defines(SOURCE, name), true, name);
});

test("what is only used, compared, or given in a function or class is not", () => {
  for (const name of ["y", "z", "inner", "local", "out", "autograd", "", "x.y", "(x"]) assert.equal(defines(SOURCE, name), false, name);
});
