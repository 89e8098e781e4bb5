# exercise: square
# without: fail closed
# Takes memory until there is none.
import torch

kept = []


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        while True:
            kept.append(torch.ones(1 << 20))

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
