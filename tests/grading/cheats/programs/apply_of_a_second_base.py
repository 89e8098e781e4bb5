# exercise: square
# without: functions
# One of its bases is no Function and has the apply.
import torch


class Other:
    @staticmethod
    def apply(x):
        return x * x


class Square(Other, torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
