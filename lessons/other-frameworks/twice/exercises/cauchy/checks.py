import torch
from gradroom import Subject, check, draw, mistake

cauchy = Subject("Cauchy", lambda: [draw.tensor()])
known = Subject("Cauchy", lambda: [draw.apart(draw.tensor((3,)), by=0.2)])  # away from 0, where the curvatures agree
at_zero = Subject("Cauchy", lambda: [torch.cat([torch.zeros(1).double(), draw.tensor((2,), grad=False)]).requires_grad_()])


@check
def values():
    cauchy.values()


@check
def gradient():
    cauchy.gradcheck()
    cauchy.gradients()
    cauchy.linear()
    cauchy.interleaved()
    cauchy.untouched()


@check
def second():
    cauchy.gradgradcheck()
    known.second()


@check
def third():
    known.third()
    at_zero.third()


@check
def edges():
    cauchy.edges()
    at_zero.second()


def slope(x):
    return 2 * x / (1 + x**2)


def with_second(of_x):
    """Whether the first order is right, and the derivative of the gradient by x has this factor."""
    backward = cauchy.holds("edges") and known.behaves_like(backward=lambda g, x: g * slope(x))
    return backward and known.behaves_like(second=lambda gg, g, x: (gg * g * of_x(x), gg * slope(x)))


@mistake
def constant():
    return with_second(lambda x: 2 / (1 + x**2))


@mistake
def all_constant():
    return with_second(torch.zeros_like)


@mistake
def no_incoming():
    return known.behaves_like(backward=lambda g, x: slope(x))
