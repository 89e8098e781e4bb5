import torch


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        Reverse.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return -Reverse.strength * grad_output, None
