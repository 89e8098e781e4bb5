import math

import torch
from gradroom import Subject, check, draw, given, mistake

SQUARED = """
def squared(x):
    return log_cosh(x) ** 2
"""

loss = Subject("log_cosh", lambda: [draw.tensor()])
function = Subject("LogCosh", lambda: [draw.tensor()])  # which log_cosh is made of; it may return more than one output
far = Subject("log_cosh", lambda: [torch.tensor([300.0, -300.0, 0.0, 1e-30, 30.0, -30.0], dtype=torch.float64, requires_grad=True)])

farther = Subject("log_cosh", lambda: [torch.tensor([400.0, -400.0, 900.0, -900.0], dtype=torch.float64, requires_grad=True)])
squared = Subject("squared", lambda: [torch.tensor([0.0, 0.5, -1.0], dtype=torch.float64, requires_grad=True)], like=lambda x: (x.abs() + torch.log1p(torch.exp(-2 * x.abs())) - math.log(2)) ** 2)
given("squared", source=SQUARED)


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
    function.gradgradcheck()
    far.second()
    squared.second()


@check
def outputs():
    function.gradcheck()
    function.linear()


@check
def large_values():
    loss.edges()
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
