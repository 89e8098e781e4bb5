import torch
from gradroom import Subject, check, draw, expect, given, mistake, reported

COUNT = """
import torch

def count(x, w):
    runs, tanh = [], torch.tanh  # block has four of it: a list that the program keeps can be filled without a run

    def counted(*args, **kwargs):
        runs.append(1)
        return tanh(*args, **kwargs)

    torch.tanh = counted
    try:
        out = Recompute.apply(x, w)
        before = len(runs)
        torch.autograd.grad(out.sum(), (x, w))
    finally:
        torch.tanh = tanh
    return torch.tensor([before, len(runs)]) // 4
"""
given("count", source=COUNT)


def arguments():
    size = draw.whole(2, 3)
    return [draw.tensor((draw.whole(1, 3), size)), draw.tensor((size, size), low=-1.0, high=1.0)]


recompute = Subject("Recompute", arguments)
tall = Subject("Recompute", lambda: [draw.tensor((4, 3)), draw.tensor((3, 3), low=-1.0, high=1.0)])  # more rows than w has
runs = Subject("count", arguments)


def block(x, w):
    for _ in range(4):
        x = torch.tanh(x @ w)
    return x


def ones(grad, x, w):
    x, w = x.detach().requires_grad_(), w.detach().requires_grad_()
    with torch.enable_grad():
        return torch.autograd.grad(block(x, w).sum(), (x, w))


@check
def values():
    recompute.values()


@check
def gradients():
    recompute.gradients()
    recompute.gradcheck()
    recompute.scale()
    recompute.linear()
    recompute.interleaved()


@check
def subsets():
    recompute.needs()


@check
def edges():
    tall.edges()


@check
def calls():
    recompute.untouched()


@check
def twice():
    runs.values()


@check(reported=True)
def kept():
    tensors = len(reported.saved(recompute))
    expect(
        tensors == 2,
        said={"en": f"One call keeps {tensors} tensors.", "zh-Hans": f"调用一次，留下 {tensors} 个张量。"},
    )


@mistake
def not_recorded():
    return recompute.holds("raises", RuntimeError, "does not require grad", order=1)


@mistake
def ones_sent():
    return recompute.behaves_like(forward=block, backward=ones)


@mistake
def first_run_kept():
    return not runs.holds("values") and not runs.holds("raises", "Exception", order=0)
