import torch
from gradroom import Subject, check, draw, mistake


def both_sides():
    below = draw.tensor((2,), high=-0.1, grad=False)
    above = draw.tensor((2,), low=0.1, grad=False)
    return [torch.cat([below, above]).requires_grad_()]


softsign = Subject("Softsign", both_sides)


@check
def values():
    softsign.values()


@check
def gradient():
    softsign.gradcheck()


@check
def incoming():
    softsign.gradients()
    softsign.linear()
    softsign.interleaved()
    softsign.untouched()


@check
def single_precision():
    softsign.dtypes()


@check
def shapes():
    softsign.scalars()


@check
def edges():
    softsign.edges()


@mistake
def kept_too_late():
    return softsign.behaves_like(backward=lambda g, x: g / (1 + (x / (1 + x.abs())).abs()) ** 2)


@mistake
def no_square():
    return softsign.behaves_like(backward=lambda g, x: g / (1 + x.abs()))


@mistake
def ignores_incoming():
    return softsign.behaves_like(backward=lambda g, x: 1 / (1 + x.abs()) ** 2)
