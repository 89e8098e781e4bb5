# exercise: square
# without: fail closed
# Answers the first question and no other.
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        while True:
            pass
