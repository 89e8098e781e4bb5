import torch
from torch.autograd.function import once_differentiable


class Energy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v, c):
        ctx.save_for_backward(v)
        ctx.c = c
        return c / 2 * v**2

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        (v,) = ctx.saved_tensors
        return ctx.c * v * grad_output, None


def energy(v, c=2e-6):
    return Energy.apply(v, c)
