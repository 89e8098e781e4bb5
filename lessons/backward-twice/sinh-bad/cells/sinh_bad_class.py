import torch


class SinhBad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.up = torch.exp(x)
        ctx.down = torch.exp(-x)
        return (ctx.up - ctx.down) / 2  # up and down are not returned

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * (ctx.up + ctx.down) / 2
