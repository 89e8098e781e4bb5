import torch


class Unmarked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x *= 3  # in place, to save memory
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return 3 * grad_output
