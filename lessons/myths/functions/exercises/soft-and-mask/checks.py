import torch
from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x):
    y = SoftAndMask.apply(x)[0]
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}

given("slopes", "mask_requires_grad")


def both_sides(grad=True):
    negative = draw.tensor((2,), high=-0.1, grad=False)
    positive = draw.tensor((2,), low=0.1, grad=False)
    return [torch.cat([negative, positive]).requires_grad_(grad)]


function = Subject("SoftAndMask", both_sides)
sloped = Subject("slopes", lambda: both_sides(False))
marked = Subject("mask_requires_grad", lambda: both_sides(False))

change = Subject("squared_change", both_sides, like=lambda x: square_change(torch.nn.functional.softplus(x)))
given("squared_change", source=CHANGE)


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    function.values()


@check
def gradient():
    function.gradients()
    function.gradcheck()
    function.gradgradcheck()
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def slopes():
    sloped.values()
    sloped.edges()


@check
def mask_marked():
    marked.values()


@check
def edges():
    function.edges(second=True)
    function.dtypes()


@check
def calls():
    function.interleaved()
    function.untouched()


@mistake
def all_marked():
    return marked.holds("values") and sloped.behaves_like(forward=torch.zeros_like)


@mistake
def ctx_in_forward():
    return marked.holds("values") and sloped.holds("raises", RuntimeError, "setup_context", order=0)


@mistake
def unmarked():
    return sloped.holds("values") and not marked.holds("values")
