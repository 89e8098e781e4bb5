# exercise: square
# without: check scale
# Small gradients are dropped, which no absolute tolerance sees.
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return torch.where(x.abs() < 1e-3, torch.zeros_like(x), 2 * x) * grad_output
