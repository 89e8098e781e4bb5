# exercise: square
# without: check second, gradgradcheck
# Right at first order, without a history at second order.
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.kept = x.detach()
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return 2 * ctx.kept * grad_output
