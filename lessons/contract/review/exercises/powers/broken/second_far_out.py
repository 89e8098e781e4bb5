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
        x = torch.where(x.abs() > 500, x.detach(), x)
        return 2 * x * grad_square + 3 * x**2 * grad_cube

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
