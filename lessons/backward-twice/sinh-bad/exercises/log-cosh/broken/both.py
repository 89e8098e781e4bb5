import math

import torch


class LogCosh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.slope = torch.tanh(x)
        size = x.abs()
        return size + torch.log1p(torch.exp(-2 * size)) - math.log(2)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.slope


def log_cosh(x):
    return LogCosh.apply(x)
