# exercise: square
# without: check interleaved
# Keeps the input in a global.
import torch

kept = {}


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        kept["x"] = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return 2 * kept["x"] * grad_output
