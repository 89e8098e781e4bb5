import torch
from gradroom import Subject, check, draw, given, mistake

given("promised", "tested")


def rows(grad=True):
    shape = (draw.whole(2, 4), draw.whole(2, 3))
    return [draw.apart(draw.tensor(shape, grad=False), by=0.3).requires_grad_(grad)]


norms = Subject("row_norms", rows)
predicted = Subject("promised", lambda: rows(grad=False))
tests = Subject("tested", lambda: rows(grad=False))


@check
def values():
    norms.values()


@check
def shape():
    predicted.values()


@check
def gradient():
    norms.gradcheck()
    norms.linear()


@check
def opcheck():
    tests.values(times=1)


@check
def second():
    norms.gradgradcheck()


@mistake
def no_autograd():
    return norms.holds("raises", RuntimeError, "no autograd formula", order=1)


@mistake
def input_shape():
    return predicted.behaves_like(forward=lambda x: torch.zeros(x.shape))


@mistake
def not_divided():
    return norms.behaves_like(backward=lambda g, x: g.unsqueeze(1) * x)
