import torch


class Binary(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x  # +1 or -1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
