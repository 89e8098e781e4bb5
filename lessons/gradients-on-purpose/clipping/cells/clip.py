import torch


class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        limit = ctx.limit
        return grad_output.clamp(-limit, limit), None  # not in forward
