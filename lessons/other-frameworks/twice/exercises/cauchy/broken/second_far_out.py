import torch


class Cauchy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.log(1 + x**2)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        x = torch.where(x.abs() > 500, x.detach(), x)
        r = 1 / (1 + x**2)
        return g * 2 * x * r
