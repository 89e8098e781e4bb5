import torch
from torch.func import grad, jvp, vmap


class Powers(torch.autograd.Function):
    @staticmethod
    def forward(x):
        square = x * x
        return square, square * x

    @staticmethod
    def setup_context(ctx, inputs, outputs):
        (x,), (square, _) = inputs, outputs
        ctx.save_for_backward(x, square)
        ctx.save_for_forward(x, square)

    @staticmethod
    def backward(ctx, g2, g3):
        x, square = ctx.saved_tensors
        return 2 * x * g2 + 3 * square * g3

    @staticmethod
    def jvp(ctx, t):
        x, square = ctx.saved_tensors
        return (x + x) * t, 3 * square * t

    generate_vmap_rule = True


def changed(a):
    h = a * 1
    square, _ = Powers.apply(h)
    h.mul_(3)
    return square


def slopes(x):
    return vmap(grad(lambda one: sum(Powers.apply(one))))(x)


def tangents(x, v):
    return jvp(Powers.apply, (x,), (v,))[1]
