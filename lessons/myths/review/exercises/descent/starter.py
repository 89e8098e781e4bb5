import torch


class Well(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.log1p(x**2)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


def descend(x, steps):
    return x
