import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.slope = 2 * x
        return x**2

    @staticmethod
    def backward(ctx, grad_output):
        return ctx.slope * grad_output
