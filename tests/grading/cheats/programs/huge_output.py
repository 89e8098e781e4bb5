# exercise: square
# without: fail closed
# Answers with more than a frame may hold.
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.sum() * torch.ones(40_000_000, dtype=torch.double)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
