import torch
from torch.nn.functional import softplus


class Mish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * torch.tanh(softplus(x))

    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.x
        t = torch.tanh(softplus(x))
        s = torch.sigmoid(x)
        return grad_output * (t + x * (1 - t**2) * s)


def second_pass(x):
    out = Mish.apply(x)
    torch.autograd.grad(out.sum(), x)
    return out
