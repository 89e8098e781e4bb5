import torch
from gradroom import Subject, check, draw, given, mistake

given("erased", "moved")


def arguments():
    rows, size = draw.whole(1, 3), draw.whole(2, 3)
    streams = [draw.tensor((rows, size)) for _ in range(2)]
    return streams + [draw.tensor((size, size), low=-1.0, high=1.0) for _ in range(2)]


block = Subject("Block", arguments)
undo = Subject("inverse", arguments)
undo_alone = Subject("inverse", lambda: [one.detach() for one in arguments()])
erased = Subject("erased", arguments)
moved = Subject("moved", arguments)


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


@check
def edges():
    block.edges()
    undo_alone.edges()


@check
def not_kept():
    erased.values()
    moved.values()  # a copy of the inputs would give the gradients at the old ones


@mistake
def same_order():
    return undo.behaves_like(forward=same_order_inverse)


@mistake
def only_through_f():
    return block.behaves_like(backward=without_sum)


@mistake
def inputs_saved():
    return block.holds("gradients") and not (erased.holds("values") and moved.holds("values"))
