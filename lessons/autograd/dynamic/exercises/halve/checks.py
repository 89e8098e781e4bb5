import torch
from gradroom import Subject, check, draw, mistake


def large(sign):
    """Between 3 and 6 steps are needed; the largest entry has this sign."""
    largest = sign * draw.tensor((1,), 9.0, 30.0, grad=False)
    return [torch.cat([draw.tensor((2,), -3.0, 3.0, grad=False), largest]).requires_grad_(), draw.number(0.5, 1.5)]


def small():
    return [draw.tensor((3,), -0.4, 0.4), draw.number(0.5, 1.5)]


def at_limit():
    """The largest entry is as large as the limit, not larger."""
    limit = draw.number(0.5, 1.5)
    largest = draw.choice([-1, 1]) * torch.tensor([limit], dtype=torch.double)
    return [torch.cat([draw.tensor((2,), -0.4, 0.4, grad=False), largest]).requires_grad_(), limit]


up = Subject("halve", lambda: large(1))
down = Subject("halve", lambda: large(-1))
none = Subject("halve", small)
exact = Subject("halve", at_limit)


def with_large():
    """The largest entry is some 7 or 1000 times as large as the limit: 3 or 10 steps are needed."""
    limit = draw.number(0.5, 1.5)
    entries = draw.tensor((3,), 0.1, limit, grad=False)
    entries[draw.whole(0, 2)] = draw.choice([7, 1000]) * limit
    return [entries.requires_grad_(), limit]


many = Subject("halve", with_large)
most = Subject("halve", lambda: [(10.0**60 * draw.tensor((3,), 1.0, grad=False)).requires_grad_(), draw.number(0.5, 1.5)])  # 200 steps


@check
def values():
    up.values()


@check
def gradient():
    up.gradients()


@check
def negative():
    down.values()
    down.gradients()


@check
def no_step():
    none.values()
    none.gradients()
    exact.values()
    exact.gradients()


@check
def edges():
    many.values()
    many.gradients()
    many.edges(without=["low"])
    most.values(times=1)


@mistake
def in_place():
    return up.holds("raises", RuntimeError, "in-place operation", order=0)


@mistake
def one_step():
    return up.behaves_like(forward=lambda x, limit: x / 2, backward=lambda g, x, limit: g / 2)


@mistake
def cut():
    subjects = (up, down, none)
    right = all(subject.holds("values") for subject in subjects)
    return right and not all(subject.holds("gradients") for subject in subjects)
