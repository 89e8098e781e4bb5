# exercise: backward-twice/sinh-bad/log-cosh
# caught by: large-values
# The form overflows for large negative numbers.
import math

import torch


class LogCosh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x + torch.log1p(torch.exp(-2 * x)) - math.log(2)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * torch.tanh(ctx.saved_tensors[0])


def log_cosh(x):
    return LogCosh.apply(x)
