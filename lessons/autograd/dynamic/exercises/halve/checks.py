import torch
from gradroom import Subject, check, draw, mistake


def large():
    """Between 3 and 6 steps are needed."""
    entries = [draw.tensor((2,), -3.0, 3.0, grad=False), draw.tensor((1,), 9.0, 30.0, grad=False)]
    return [torch.cat(entries).requires_grad_(), draw.number(0.5, 1.5)]


def small():
    return [draw.tensor((3,), -0.4, 0.4), draw.number(0.5, 1.5)]


many = Subject("halve", large)
none = Subject("halve", small)


@check
def values():
    many.values()


@check
def gradient():
    many.gradients()
    many.gradients()


@check
def no_step():
    none.values()
    none.gradients()


@mistake
def in_place():
    return many.holds("raises", RuntimeError, "in-place operation", order=0)


@mistake
def one_step():
    return many.behaves_like(forward=lambda x, limit: x / 2, backward=lambda g, x, limit: g / 2)


@mistake
def cut():
    return many.holds("values") and not many.holds("gradients")
