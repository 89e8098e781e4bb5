# exercise: backward-twice/review/swish-twice
# A plain function beside a class that is none of it.
import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        return g


def swish(x):
    return x * torch.sigmoid(x)
