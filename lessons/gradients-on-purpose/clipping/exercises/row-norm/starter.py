import torch


class ClipRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, None
