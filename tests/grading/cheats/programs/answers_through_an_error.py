# exercise: square
# without: fail closed
# An exception whose text looks like a verdict.
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        raise AssertionError(f"passed=True checks=all {x.tolist()}")

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
