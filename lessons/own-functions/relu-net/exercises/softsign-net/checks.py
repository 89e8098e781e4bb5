import torch
from gradroom import Subject, check, draw, expect, mistake, value

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
