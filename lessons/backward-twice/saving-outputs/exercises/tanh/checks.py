import torch
from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x):
    y = Tanh.apply(x)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
SLOPE = """
def slope(x):
    (found,) = torch.autograd.grad(Tanh.apply(x).sum(), x, create_graph=True)
    return found
"""
FOURTH = {
    "en": "The third derivative is right, and the fourth is not.",
    "zh-Hans": "三阶导数是对的，四阶导数不对。",
}
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}

tanh = Subject("Tanh", lambda: [draw.tensor()])

far = Subject("Tanh", lambda: [torch.tensor([900.0, -900.0, 0.0, 1e-30, 30.0, -30.0], dtype=torch.float64, requires_grad=True)])

change = Subject("squared_change", lambda: [draw.tensor()], like=lambda x: square_change(torch.tanh(x)))
given("squared_change", source=CHANGE)

slope = Subject("slope", lambda: [draw.tensor()], like=lambda x: 1 - torch.tanh(x) ** 2)
given("slope", source="import torch\n" + SLOPE)


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    tanh.values()


@check
def gradient():
    tanh.gradcheck()


@check
def second():
    tanh.gradgradcheck()
    far.second()
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def contract():
    tanh.untouched()
    tanh.interleaved()


@check
def third():
    tanh.third()
    expect(slope.holds("third"), said=FOURTH)


@check
def edges():
    tanh.edges(second=True)
    tanh.dtypes()


@mistake
def slope_without_history():
    return tanh.holds("gradcheck") and tanh.behaves_like(second=lambda gg, g, x: torch.zeros_like(x))


@mistake
def derivative_of_input():
    return tanh.behaves_like(forward=torch.tanh, backward=lambda g, x: g * (1 - x**2))
