# exercise: contract/review/powers
# No rule for vmap, no jvp: the functions are written by hand.
import torch


class Powers(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x**2, x**3

    @staticmethod
    def backward(ctx, a, b):
        x = ctx.x
        return 2 * x * a + 3 * x**2 * b


def changed(a):
    h = a * 1
    square = h**2
    h.mul_(3)
    return square


def slopes(x):
    return 2 * x + 3 * x**2


def tangents(x, v):
    return 2 * x * v, 3 * x**2 * v
