# exercise: square
# without: check untouched, second, gradcheck, gradgradcheck, strides
# Writes its output over its input.
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.clone().requires_grad_(False))
        ctx.original = x.clone()
        with torch.no_grad():
            out = x * x
            x.data.copy_(out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        return 2 * ctx.original * grad_output
