import torch
from gradroom import Subject, check, draw, mistake

swish = Subject("swish", lambda: [draw.tensor()])


@check
def values():
    swish.values()


@check
def gradient():
    swish.gradcheck()


@check
def second():
    swish.gradgradcheck()


@check
def third():
    swish.third()


def s(x):
    return torch.sigmoid(x)


@mistake
def product_rule():
    return swish.behaves_like(backward=lambda g, x: g * x * s(x) * (1 - s(x)))


@mistake
def one_path_missing():
    return swish.holds("gradcheck") and not swish.holds("gradgradcheck")
