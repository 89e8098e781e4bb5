# exercise: square
# without: check interleaved
# Keeps the input on the class: the last call wins.
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        Square.x = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return 2 * Square.x * grad_output
