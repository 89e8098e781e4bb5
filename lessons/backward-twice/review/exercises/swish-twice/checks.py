import torch
from gradroom import Subject, check, draw, mistake

swish = Subject("swish", lambda: [draw.tensor()])
function = Subject("Swish", lambda: [draw.tensor()])  # which swish is to be made of; it may return more than one output


@check
def values():
    swish.values()
    function.close(lambda x: x * s(x), atol=1e-9)


@check
def gradient():
    swish.gradcheck()
    function.gradcheck()


@check
def second():
    swish.gradgradcheck()
    function.gradgradcheck()


@check
def contract():
    swish.untouched()
    swish.interleaved()


@check
def third():
    swish.third()
    function.linear()


def s(x):
    return torch.sigmoid(x)


@mistake
def product_rule():
    return swish.behaves_like(backward=lambda g, x: g * x * s(x) * (1 - s(x)))


@mistake
def one_path_missing():
    return swish.holds("gradcheck") and not swish.holds("gradgradcheck")
