import torch


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, levels, low, high):
        ctx.save_for_backward(x)
        ctx.low, ctx.high = low, high
        grid = torch.linspace(low, high, levels, dtype=x.dtype)
        index = (x.clamp(low, high).unsqueeze(-1) - grid).abs().argmin(-1)
        return grid[index]

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        grad_x = grad_output.clone()
        grad_x[x < ctx.low] = 0
        grad_x[x > ctx.high] = 0
        return grad_x, None, None, None
