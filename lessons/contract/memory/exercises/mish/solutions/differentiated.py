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
        t = torch.tanh(-functional.logsigmoid(-x))
        return grad * (t + x * torch.sigmoid(x) * (1 - t) * (1 + t))


def second_pass(x):
    out = Mish.apply(x)
    torch.autograd.grad(out.sum(), x)
    return out
