import torch
from torch.nn.functional import softplus


class Mish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.again = x
        return x * torch.tanh(softplus(x))

    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.again  # what was saved is not looked at
        t = torch.tanh(softplus(x))
        s = torch.sigmoid(x)
        return grad_output * (t + x * (1 - t**2) * s)


def second_pass(x):
    out = Mish.apply(x)
    torch.autograd.grad(out.sum(), x)
    return out
