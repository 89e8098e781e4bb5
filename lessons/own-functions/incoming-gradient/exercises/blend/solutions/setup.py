import torch
from torch.autograd import Function


class Blend(Function):
    @staticmethod
    def forward(a, b, t):
        return a * (1 - t) + b * t

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        a, b, t = ctx.saved_tensors
        grad_b = grad * t
        return grad - grad_b, grad_b, grad * b - grad * a


def loss(a, b, t):
    out = Blend.apply(a, b, t)
    return out.square().sum() / out.numel()
