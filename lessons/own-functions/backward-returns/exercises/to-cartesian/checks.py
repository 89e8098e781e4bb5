import math

import torch
from gradroom import Subject, check, draw, mistake


def arguments(shape=None):
    shape = shape or draw.shape()
    r = draw.tensor(shape, low=0.5, high=3.0)
    angle = draw.tensor(shape, low=0.2, high=1.3)
    return [r, angle, draw.number(1.5, 2.5)]


cartesian = Subject("ToCartesian", arguments)
table = Subject("ToCartesian", lambda: arguments((3, draw.whole(2, 3))))
degrees = Subject("ToCartesian", lambda: [*arguments((2, 2))[:2], math.pi / 180])


@check
def values():
    cartesian.values()


@check
def each_output():
    cartesian.gradients()
    cartesian.gradcheck()
    cartesian.interleaved()
    cartesian.untouched()


@check
def each_input():
    cartesian.needs()


@check
def edges():
    table.edges()
    degrees.edges()


@mistake
def swapped():
    return cartesian.behaves_like(backward=lambda g_x, g_y, *args: right(g_x, g_y, *args)[::-1])


@mistake
def second_ignored():
    return cartesian.behaves_like(backward=lambda g_x, g_y, *args: right(g_x, 0 * g_y, *args))


@mistake
def unit_forgotten():
    def backward(g_x, g_y, r, angle, unit):
        grad_r, grad_angle = right(g_x, g_y, r, angle, unit)
        return grad_r, grad_angle / unit

    return cartesian.behaves_like(backward=backward)


def right(g_x, g_y, r, angle, unit):
    cos, sin = torch.cos(unit * angle), torch.sin(unit * angle)
    return g_x * cos + g_y * sin, unit * r * (g_y * cos - g_x * sin)
