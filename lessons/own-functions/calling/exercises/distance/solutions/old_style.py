import torch


class Root(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.sqrt(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output / (2 * y).clamp(min=0.1)


def distance(a, b):
    squared = ((a - b) ** 2).sum(-1)
    return Root.apply(squared)
