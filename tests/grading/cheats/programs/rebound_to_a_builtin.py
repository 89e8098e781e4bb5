# exercise: square
# without: functions
# Defines a Function, and gives its name to something else.
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 3.0 * x

    @staticmethod
    def backward(ctx, grad_output):
        return 3.0 * grad_output


Square = torch.square
