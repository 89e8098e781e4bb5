# exercise: backward-twice/sinh-bad/log-cosh
# A plain function beside a class that is none of it.
import torch


class LogCosh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        return g


def log_cosh(x):
    size = x * x.detach().sign()
    return size + torch.log1p(torch.exp(-2 * size)) - 0.6931471805599453
