import torch


class Huber(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, width=1.0):
        return x**2 / 2

    @staticmethod
    def backward(ctx, grad_output):
        raise NotImplementedError
