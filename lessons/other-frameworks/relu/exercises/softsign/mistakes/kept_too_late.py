import torch


class Softsign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x = x / (1 + x.abs())
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        shrink = 1 / (1 + x.abs())
        return g * shrink**2
