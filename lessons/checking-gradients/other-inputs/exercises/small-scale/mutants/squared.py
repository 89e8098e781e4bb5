import torch


class Energy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v, c):
        ctx.save_for_backward(v)
        ctx.c = c
        return c / 2 * v**2

    @staticmethod
    def backward(ctx, grad_output):
        (v,) = ctx.saved_tensors
        return ctx.c * v**2 * grad_output, None


def energy(v, c=2e-6):
    return Energy.apply(v, c)
