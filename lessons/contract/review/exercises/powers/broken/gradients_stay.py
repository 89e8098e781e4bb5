import torch
from torch.func import grad, jvp, vmap


class Powers(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x**2, x**3

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, grad_square, grad_cube):
        (x,) = ctx.saved_tensors
        slopes = 2 * x.detach(), 3 * x.detach() ** 2  # the second derivative is lost
        return slopes[0] * grad_square + slopes[1] * grad_cube

    @staticmethod
    def jvp(ctx, tangent):
        (x,) = ctx.saved_tensors
        return 2 * x * tangent, 3 * x**2 * tangent


def changed(a):
    h = a * 1
    square, _ = Powers.apply(h)
    h.mul_(3)
    return square


def slopes(x):
    return vmap(grad(lambda one: sum(Powers.apply(one))))(x)


def tangents(x, v):
    return jvp(Powers.apply, (x,), (v,))[1]
