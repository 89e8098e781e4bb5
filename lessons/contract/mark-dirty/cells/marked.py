import torch


class Marked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(3).add_(1)
        ctx.mark_dirty(x)  # and the same x is returned
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return 3 * grad_output
