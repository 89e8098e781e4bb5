import torch
from gradroom import Subject, check, draw, mistake


def inputs(x_grad=True, limit_grad=True):
    above = draw.tensor((2,), low=1.0, grad=False)
    below = draw.tensor((2,), high=-1.0, grad=False)
    within = draw.tensor((2,), low=-0.5, high=0.5, grad=False)
    x = torch.cat([above, within, below]).reshape(draw.choice([(6,), (2, 3), (3, 2)])).requires_grad_(x_grad)
    limit = torch.tensor(draw.number(0.6, 0.9), dtype=torch.float64)
    return [x, limit.requires_grad_(limit_grad)]


def exact(x_grad):
    """Entries at the limit itself, and what edges() would do to the limit, too."""
    x = torch.tensor([-900.0, -0.75, 0.0, 0.5, 0.75, 900.0], dtype=torch.float64, requires_grad=x_grad)
    return [x, torch.tensor(0.75, dtype=torch.float64, requires_grad=not x_grad)]


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
    shrink.interleaved()
    shrink.untouched()


@check
def edges():
    for only in (of_x, of_limit):
        only.edges(without=["one-zero", "zeros", "low"])  # of the limit, which is larger than 0
    for x_grad in (True, False):
        Subject("Shrink", lambda x_grad=x_grad: exact(x_grad)).gradients()


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
