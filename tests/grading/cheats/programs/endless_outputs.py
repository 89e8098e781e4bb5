# exercise: square
# without: fail closed
# Answers with a hundred thousand outputs.
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return tuple(x + k for k in range(100_000))

    @staticmethod
    def backward(ctx, *grad_outputs):
        return grad_outputs[0]
