import torch
from torch.nn.functional import softplus


class Mish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        ctx.t = torch.tanh(softplus(x))
        ctx.s = torch.sigmoid(x)
        return x * ctx.t

    @staticmethod
    def backward(ctx, grad_output):
        slope = ctx.t + ctx.x * (1 - ctx.t**2) * ctx.s
        return grad_output * slope


def second_pass(x):
    out = Mish.apply(x)
    torch.autograd.grad(out.sum(), x)
    return out
