# exercise: square
# without: functions
# A decorator puts another class in its place.
import torch


def replace(cls):
    return lambda x: x * x


@replace
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 3.0 * x

    @staticmethod
    def backward(ctx, grad_output):
        return 3.0 * grad_output
