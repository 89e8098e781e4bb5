# exercise: gradients-on-purpose/straight-through/levels
# caught by: gradient
# At the ends of the range no gradient passes.
import torch


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, levels, low, high):
        ctx.save_for_backward((x > low) & (x < high))
        step = (high - low) / (levels - 1)
        return low + step * torch.round((torch.clip(x, low, high) - low) / step)

    @staticmethod
    def backward(ctx, grad_output):
        (mask,) = ctx.saved_tensors
        return grad_output * mask, None, None, None
