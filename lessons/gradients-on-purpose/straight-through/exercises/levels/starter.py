import torch


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, levels, low, high):
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, None, None, None
