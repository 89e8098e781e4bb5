import math

import torch


class LogCosh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        size = x.abs()
        return size + torch.log1p(torch.exp(-2 * size)) - math.log(2)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return torch.where(grad_output == 0, 0, grad_output * torch.tanh(x))  # nothing arrives there


def log_cosh(x):
    return LogCosh.apply(x)
