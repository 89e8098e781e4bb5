import torch


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, levels, low, high):
        ctx.save_for_backward(x)
        ctx.range = low, high
        step = (high - low) / (levels - 1)
        return ((x - low) / step).round().to(torch.int8).clamp(0, levels - 1).to(x.dtype) * step + low

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        low, high = ctx.range
        passes = (x >= low) & (x <= high)
        return torch.where(passes, grad_output, 0), None, None, None
