import torch
from torch.func import grad, jvp, vmap


class Powers(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x**2, x**3

    @staticmethod
    def backward(ctx, grad_square, grad_cube):
        x = ctx.x
        return 2 * x * grad_square + 3 * x**2 * grad_cube


def changed(a):
    h = a * 1
    square, _ = Powers.apply(h)
    h.mul_(3)
    return square


def slopes(x):
    return vmap(grad(lambda one: sum(Powers.apply(one))))(x)


def tangents(x, v):
    return jvp(Powers.apply, (x,), (v,))[1]
