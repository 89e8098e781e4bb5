import torch
from gradroom import Subject, check, draw, mistake


def arguments(x_needs=True, a_needs=True):
    x = draw.tensor((draw.whole(2, 3), 2), grad=x_needs)
    return [x, draw.tensor((), low=0.4, high=1.5, grad=a_needs)]


bend = Subject("Bend", arguments)
three_axes = Subject("Bend", lambda: [draw.tensor((2, 3, 2)), draw.tensor((), low=0.4, high=1.5)])
of_x = Subject("Bend", lambda: arguments(a_needs=False))
of_a = Subject("Bend", lambda: arguments(x_needs=False))


@check
def values():
    bend.values()


@check
def gradient_x():
    of_x.gradients()


@check
def gradient_a():
    of_a.gradients()


@check
def both():
    bend.gradients()
    bend.gradcheck()
    bend.linear()


@check
def edges():
    bend.edges()
    bend.needs()
    three_axes.gradients()


@check
def calls():
    bend.interleaved()
    bend.untouched()


def slope(g, x, a):
    return g * (1 - torch.tanh(a * x) ** 2)


@mistake
def no_gradient():
    return bend.behaves_like(backward=lambda g, x, a: (slope(g, x, a) * a, torch.zeros_like(a)))


@mistake
def inner_only():
    return bend.behaves_like(backward=lambda g, x, a: (slope(g, x, a) * a, (g * x).sum()))


@mistake
def mean():
    return bend.behaves_like(backward=lambda g, x, a: (slope(g, x, a) * a, (slope(g, x, a) * x).mean()))
