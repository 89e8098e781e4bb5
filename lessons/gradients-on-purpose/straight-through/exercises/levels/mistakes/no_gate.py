import torch


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, levels, low, high):
        ctx.save_for_backward(x)
        ctx.range = low, high
        step = (high - low) / (levels - 1)
        return ((x.clamp(low, high) - low) / step).round() * step + low

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, None, None, None
