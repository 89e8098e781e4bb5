import torch
from gradroom import Subject, check, draw, expect, given, mistake

KEPT = {
    "en": "After forward, the values of `x1` or `x2` are still kept, in a tensor or as numbers.",
    "zh-Hans": "前向传播之后，`x1` 或 `x2` 的数值仍然留着：留在张量里，或存成了数。",
}
GIVEN = """
import gc
import torch

def erased(x1, x2, a, b):
    inputs = x1.clone(), x2.clone()
    y1, y2 = Block.apply(*inputs, a, b)
    for x in inputs:
        x.detach().zero_()  # backward has to do without them
    return torch.autograd.grad((y1 * y2).sum(), (x1, x2, a, b))

def moved(x1, x2, a, b):
    y1, y2 = Block.apply(x1, x2, a, b)
    for y in (y1, y2):
        y.data += 0.5  # backward has to start from these
    grad_outputs = y2.detach(), y1.detach()
    return torch.autograd.grad((y1, y2), (x1, x2, a, b), grad_outputs)

def copies(x1, x2, a, b):
    inputs = [x.detach() + 0.25 for x in (x1, x2)]  # values that no other tensor has
    leaves = [x.clone().requires_grad_() for x in inputs]
    outputs = Block.apply(*leaves, a, b)
    known = [id(x) for x in (*inputs, *leaves)]
    found = 0
    for one in gc.get_objects():
        if issubclass(type(one), torch.Tensor) and id(one) not in known and one.shape == x1.shape and one.dtype == x1.dtype:
            found += any(torch.equal(one.detach(), x) for x in inputs)
    wanted = {one for x in inputs for one in x.flatten().tolist()}
    waiting, seen = [vars(outputs[0].grad_fn), vars(Block), getattr(Block.forward, "__globals__", {})], set()
    while waiting:  # numbers that are kept as Python's
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if type(one) is float:
            found += one in wanted
        elif type(one) in (list, tuple, set):
            waiting.extend(one)
        elif hasattr(one, "values") and hasattr(one, "keys"):
            waiting.extend(one[key] for key in list(one.keys()) if key != "__builtins__")
        elif type(one).__name__ in ("ndarray", "array"):
            waiting.append(one.tolist())
    return found
"""
given("erased", "moved", "copies", source=GIVEN)


def arguments(rows=None):
    rows, size = rows or draw.whole(1, 3), draw.whole(2, 3)
    streams = [draw.tensor((rows, size)) for _ in range(2)]
    return streams + [draw.tensor((size, size), low=-1.0, high=1.0) for _ in range(2)]


block = Subject("Block", arguments)
undo = Subject("inverse", arguments)
undo_alone = Subject("inverse", lambda: [one.detach() for one in arguments(rows=4)])  # more rows than the weights have
tall = Subject("Block", lambda: arguments(rows=4))
erased = Subject("erased", arguments)
moved = Subject("moved", arguments)
copies = Subject("copies", arguments)


def f(x, w):
    return torch.tanh(x @ w)


def same_order_inverse(y1, y2, a, b):
    x1 = y1 - f(y2, a)
    return x1, y2 - f(x1, b)


def vjp(x, w, grad):
    x, w = x.detach().requires_grad_(), w.detach().requires_grad_()
    with torch.enable_grad():
        out = f(x, w)
    return torch.autograd.grad(out, (x, w), grad)


def without_sum(g1, g2, x1, x2, a, b):
    grad_1, grad_b = vjp(x1 + f(x2, a), b, g2)
    grad_2, grad_a = vjp(x2, a, grad_1)
    return grad_1, grad_2, grad_a, grad_b


@check
def values():
    block.values()


@check
def inverse():
    undo.values()


@check
def gradients():
    block.gradients()
    block.gradcheck()
    block.untouched()
    block.interleaved()


@check
def edges():
    tall.edges()
    undo_alone.edges()


@check
def not_kept():
    erased.values()
    moved.values()  # a copy of the inputs would give the gradients at the old ones
    expect(copies.theirs.call(copies.drawn()).outputs[0] == 0, said=KEPT)


@mistake
def same_order():
    return undo.behaves_like(forward=same_order_inverse)


@mistake
def only_through_f():
    return block.behaves_like(backward=without_sum)


@mistake
def inputs_saved():
    return block.holds("gradients") and not (erased.holds("values") and moved.holds("values"))
