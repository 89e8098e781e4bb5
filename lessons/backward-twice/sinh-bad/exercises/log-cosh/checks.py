import math

import torch
from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x):
    y = log_cosh(x)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}

SQUARED = """
def squared(x):
    return log_cosh(x) ** 2
"""

loss = Subject("log_cosh", lambda: [draw.tensor()])
function = Subject("LogCosh", lambda: [draw.tensor()])  # which log_cosh is made of; it may return more than one output
far = Subject("log_cosh", lambda: [torch.tensor([300.0, -300.0, 0.0, 1e-30, 30.0, -30.0], dtype=torch.float64, requires_grad=True)])

farther = Subject("log_cosh", lambda: [torch.tensor([400.0, -400.0, 900.0, -900.0], dtype=torch.float64, requires_grad=True)])
squared = Subject(
    "squared",
    lambda: [torch.tensor([0.0, 0.5, -1.0], dtype=torch.float64, requires_grad=True)],
    like=lambda x: (x.abs() + torch.log1p(torch.exp(-2 * x.abs())) - math.log(2)) ** 2,
)
given("squared", "squared_change", source=SQUARED + CHANGE)

change = Subject("squared_change", lambda: [draw.tensor()], like=lambda x: square_change(torch.log(torch.cosh(x))))


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    loss.values()
    function.close(lambda x: x.cosh().log(), atol=1e-9)


@check
def gradient():
    loss.gradcheck()


@check
def second():
    loss.gradgradcheck()
    expect(change.holds("second"), said=ZERO_INCOMING)
    function.gradgradcheck()
    far.second()
    squared.second()


@check
def outputs():
    function.gradcheck()
    function.linear()


@check
def large_values():
    loss.edges(second=True)
    farther.second()
    loss.interleaved()
    loss.untouched()
    loss.dtypes()


@mistake
def formula():
    return loss.behaves_like(backward=lambda g, x: g * (1 - torch.tanh(x) ** 2))


@mistake
def still_constant():
    return loss.holds("gradcheck") and loss.behaves_like(second=lambda gg, g, x: torch.zeros_like(x))
