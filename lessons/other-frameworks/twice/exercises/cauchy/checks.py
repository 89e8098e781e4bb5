import torch
from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x):
    y = Cauchy.apply(x)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}

cauchy = Subject("Cauchy", lambda: [draw.tensor()])
known = Subject("Cauchy", lambda: [draw.apart(draw.tensor((3,)), by=0.2)])  # away from 0, where the curvatures agree
apart = Subject("Cauchy", lambda: [draw.apart(draw.tensor(), by=0.3)])  # log(1 + x²) has few digits where x² is next to nothing
at_zero = Subject("Cauchy", lambda: [torch.cat([torch.zeros(1).double(), draw.tensor((2,), grad=False)]).requires_grad_()])

change = Subject("squared_change", lambda: [draw.apart(draw.tensor((3,)), by=0.2)], like=lambda x: square_change(torch.log(1 + x**2)))
given("squared_change", source=CHANGE)


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    cauchy.values()


@check
def gradient():
    cauchy.gradcheck()
    cauchy.gradients()
    cauchy.linear()
    cauchy.scale()
    cauchy.strides()
    cauchy.interleaved()
    cauchy.untouched()


@check
def second():
    cauchy.gradgradcheck()
    known.second()
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def third():
    known.third()
    at_zero.third()


@check
def edges():
    apart.edges(second=True)
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
