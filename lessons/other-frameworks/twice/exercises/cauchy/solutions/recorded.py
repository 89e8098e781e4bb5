import torch


class Cauchy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            r = 1 / (1 + x**2)
        ctx.save_for_backward(x, r)
        return -torch.log(r.detach())

    @staticmethod
    def backward(ctx, g):
        x, r = ctx.saved_tensors
        return g * 2 * x * r
