import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


def swish(x):
    return Swish.apply(x)
