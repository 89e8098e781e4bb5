# exercise: bench/engine/operations
# The engine records for torch, and a function of torch.distributed walks back.
import math

import torch
from torch.distributed.pipelining.stage import stage_backward


class Value:
    def __init__(self, value, parents=(), op=None):
        self.value = value
        self.parents = parents
        self.op = op

    def __add__(self, other):
        other = wrap(other)
        return Value(self.value + other.value, (self, other), lambda a, b: a + b)

    def __mul__(self, other):
        other = wrap(other)
        return Value(self.value * other.value, (self, other), lambda a, b: a * b)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -wrap(other)

    def __rsub__(self, other):
        return wrap(other) + -self

    def __truediv__(self, other):
        return self * wrap(other) ** -1

    def __rtruediv__(self, other):
        return wrap(other) * self**-1

    def __pow__(self, n):
        return Value(self.value**n, (self,), lambda a: a**n)

    def exp(self):
        e = math.exp(self.value)
        return Value(e, (self,), torch.exp)

    def log(self):
        return Value(math.log(self.value), (self,), torch.log)

    def tanh(self):
        t = math.tanh(self.value)
        return Value(t, (self,), torch.tanh)


def wrap(x):
    return x if isinstance(x, Value) else Value(x)


def ordered(out):
    seen = {id(out)}
    order = []
    stack = [(out, iter(out.parents))]
    while stack:
        node, rest = stack[-1]
        for p in rest:
            if id(p) not in seen:
                seen.add(id(p))
                stack.append((p, iter(p.parents)))
                break
        else:
            stack.pop()
            order.append(node)
    return order


def gradients(out, inputs):
    t = {}
    for one in inputs:
        t[id(one)] = torch.tensor(float(one.value), dtype=torch.float64, requires_grad=True)
    for v in ordered(out):
        if id(v) in t:
            continue
        t[id(v)] = (
            v.op(*[t[id(p)] for p in v.parents])
            if v.op
            else torch.tensor(float(v.value), dtype=torch.float64)
        )
    found = stage_backward(t[id(out)], None, [t[id(one)] for one in inputs])
    return [0.0 if f is None else f.item() for f in found]
