import torch
from gradroom import Subject, check, draw, mistake


def arguments(importance):
    size = importance.shape
    return [draw.number(0.5, 2.0), draw.tensor(size, 0.5, 2.0, grad=False), draw.tensor(size, -2.0, -0.5, grad=False), importance]


def some():
    return arguments(draw.tensor((draw.whole(2, 5),), 1.5, 3.0, grad=False))


def with_zeros():
    return arguments(torch.tensor([0.0, draw.number(1.5, 3.0), 0.0], dtype=torch.float64))


def unweighted(w, x, target, importance):
    return (2 * (w * x - target) * x).sum()


slope = Subject("weighted_slope", some)
partly = Subject("weighted_slope", with_zeros)


@check
def gradient():
    slope.values()


@check
def zeros():
    partly.values()


@check
def edges():
    slope.edges()


@mistake
def ones():
    return all(Subject("weighted_slope", drawn, like=unweighted).holds("values") for drawn in (some, with_zeros))


@mistake
def one_number():
    return slope.holds("raises", RuntimeError, "Mismatch in shape", order=0)
