import torch


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        if torch.is_grad_enabled():
            return -ctx.strength * grad_output, None
        return grad_output.mul_(-ctx.strength), None
