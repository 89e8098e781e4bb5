import math

import torch


class LogCosh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        slope = torch.tanh(x)
        ctx.save_for_backward(slope)
        size = x.abs()
        out = size + torch.log1p(torch.exp(-2 * size)) - math.log(2)
        return out, slope

    @staticmethod
    def backward(ctx, grad_out, grad_slope):
        (slope,) = ctx.saved_tensors
        return grad_out * slope + grad_slope * (1 - slope**2)


def log_cosh(x):
    return LogCosh.apply(x)[0]
