import torch


class Softsign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x = x.double()
        shrink = 1 / (1 + x.abs())
        ctx.save_for_backward(shrink)
        return x * shrink

    @staticmethod
    def backward(ctx, g):
        (shrink,) = ctx.saved_tensors
        return g * shrink**2
