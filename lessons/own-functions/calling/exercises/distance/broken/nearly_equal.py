import torch


class Root(torch.autograd.Function):
    @staticmethod
    def forward(x, floor=0.1):
        return torch.sqrt(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.floor = inputs
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output / (2 * y).clamp(min=ctx.floor), None


def distance(a, b):
    squared = ((a - b) ** 2).sum(-1)
    return Root.apply(torch.where(squared < 1e-5, squared.detach(), squared))
