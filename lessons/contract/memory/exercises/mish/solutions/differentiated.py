import torch
from torch.autograd import Function
from torch.nn import functional


class Mish(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return functional.mish(x)

    @staticmethod
    def backward(ctx, grad):
        x = ctx.saved_tensors[0]
        u = x.exp()
        n = u * (u + 2)
        d = n + 2
        return grad * (n / d + x * 4 * u * (u + 1) / d**2)


def second_pass(x):
    out = Mish.apply(x)
    torch.autograd.grad(out.sum(), x)
    return out
