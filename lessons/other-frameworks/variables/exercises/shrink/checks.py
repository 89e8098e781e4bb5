import torch
from gradroom import Subject, check, draw, mistake


def inputs(x_grad=True, limit_grad=True):
    above = draw.tensor((2,), low=1.0, grad=False)
    below = draw.tensor((1,), high=-1.0, grad=False)
    within = draw.tensor((2,), low=-0.5, high=0.5, grad=False)
    x = torch.cat([above, within, below]).requires_grad_(x_grad)
    limit = torch.tensor(draw.number(0.6, 0.9), dtype=torch.float64)
    return [x, limit.requires_grad_(limit_grad)]


shrink = Subject("Shrink", inputs)
of_x = Subject("Shrink", lambda: inputs(limit_grad=False))
of_limit = Subject("Shrink", lambda: inputs(x_grad=False))


@check
def values():
    shrink.values()


@check
def gradient():
    of_x.gradients()


@check
def limit():
    of_limit.gradients()


@check
def incoming():
    shrink.gradcheck()
    shrink.gradients()
    shrink.linear()
    shrink.needs()


def gate(g, x, limit):
    return torch.where(x.abs() > limit, g, 0)


@mistake
def no_gradient():
    return of_limit.behaves_like(backward=lambda g, x, limit: torch.zeros_like(limit))


@mistake
def sign():
    return of_limit.behaves_like(backward=lambda g, x, limit: (gate(g, x, limit) * x.sign()).sum())


@mistake
def everywhere():
    return of_limit.behaves_like(backward=lambda g, x, limit: -(g * x.sign()).sum())
