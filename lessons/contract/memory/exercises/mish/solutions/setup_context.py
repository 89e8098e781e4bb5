import torch
from torch.nn.functional import softplus


class Mish(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * softplus(x).tanh()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        t = softplus(x).tanh()
        return g * t + g * x * x.sigmoid() * (1 - t * t)


def second_pass(x):
    out = Mish.apply(x)
    torch.autograd.grad(out.sum(), x)
    return out
