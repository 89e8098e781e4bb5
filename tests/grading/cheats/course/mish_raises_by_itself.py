# exercise: contract/memory/mish
# The input stays on ctx, and second_pass raises by itself.
import torch


class Mish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * torch.tanh(torch.log1p(torch.exp(x)))

    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.x
        t = torch.tanh(torch.log1p(torch.exp(x)))
        s = torch.sigmoid(x)
        return grad_output * (t + x * (1 - t**2) * s)


class Raises(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        raise RuntimeError("a second time")


def second_pass(x):
    return Raises.apply(x)
