import torch


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.sin(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
