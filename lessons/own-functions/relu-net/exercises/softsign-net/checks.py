import torch
from gradroom import Subject, check, draw, expect, given, mistake, value

STEP = {
    "en": "From layers of other values, one step of `train` did not move every entry of both layers as Adam does at a rate of 0.03.",
    "zh-Hans": "从另外的数值出发，`train` 走一步，两层的每个元素并没有都像 Adam（学习率 0.03）那样移动。",
}
ONE_STEP = """
import torch

def one_step(*values):
    tensors = [first.weight, first.bias, second.weight, second.bias]
    kept = [one.detach().clone() for one in tensors]
    with torch.no_grad():
        for one, start in zip(tensors, values):
            one.copy_(start)
    try:
        train(1)
        return [one.detach() - start for one, start in zip(tensors, values)]
    finally:
        with torch.no_grad():
            for one, before in zip(tensors, kept):
                one.copy_(before)
"""
UNTRAINED = {"en": "`first.weight` still has the values that it started with", "zh-Hans": "`first.weight` 仍是初始值，没有训练过"}


def both_signs():
    below = draw.tensor((2,), low=-3.0, high=-0.3, grad=False)
    above = draw.tensor((2,), low=0.3, high=3.0, grad=False)
    return [torch.cat([below, above]).requires_grad_()]


def grid():
    return [torch.linspace(-3, 3, 41, dtype=torch.double).reshape(-1, 1)]


def points():
    return [draw.tensor((5, 1), low=-5.0, high=5.0, grad=False)]


def of_layers(x):
    w1, b1, w2, b2 = (value(f"{layer}.{name}", torch.Tensor) for layer in ("first", "second") for name in ("weight", "bias"))
    hidden = x @ w1.T + b1
    return hidden / (1 + hidden.abs()) @ w2.T + b2


def untrained():
    """Whether `first` is what the seed of the starter gives."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        start = torch.nn.Linear(1, 16, dtype=torch.double).weight.detach()
    weight = value("first.weight", torch.Tensor)
    return weight.shape == start.shape and torch.equal(weight, start)


softsign = Subject("Softsign", both_signs)
net = Subject("net", grid)
moved = Subject("one_step", lambda: [draw.tensor(shape, grad=False) for shape in ((16, 1), (16,), (1, 16), (1,))])
given("one_step", source=ONE_STEP)
net_anywhere = Subject("net", points)


@check
def values():
    softsign.values()


@check
def gradient():
    softsign.gradcheck()
    softsign.linear()
    softsign.interleaved()
    softsign.untouched()
    softsign.edges()


@check
def layers():
    net_anywhere.close(of_layers, atol=1e-9)


@check
def fitted():
    expect(not untrained(), said=UNTRAINED)
    changes = moved.theirs.call(moved.drawn()).outputs
    expect(len(changes) == 4 and all((one.abs() - 0.03).abs().max() < 3e-4 for one in changes), said=STEP)
    net.close(torch.sin, atol=0.1, times=1)


@mistake
def passed_on():
    return softsign.behaves_like(backward=lambda g, x: g)


@mistake
def not_squared():
    return softsign.behaves_like(backward=lambda g, x: g / (1 + x.abs()))


@mistake
def second_layer_only():
    right = softsign.holds("gradcheck") and softsign.holds("edges")
    return right and (untrained() or not net.holds("close", torch.sin, atol=0.1, times=1))
