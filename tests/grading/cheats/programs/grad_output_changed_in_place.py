# exercise: square
# without: check untouched, strides
# Saves a copy by changing grad_output, which a sibling reads as well.
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        if torch.is_grad_enabled():
            return 2 * x * grad_output
        return grad_output.mul_(2 * x)
