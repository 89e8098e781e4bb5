import torch
from torch.autograd import gradcheck, gradgradcheck


class SinhBad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.up = torch.exp(x)
        ctx.down = torch.exp(-x)
        return (ctx.up - ctx.down) / 2

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * (ctx.up + ctx.down) / 2


x = torch.tensor([0.5, 1, 2], dtype=torch.double, requires_grad=True)
print(gradcheck(SinhBad.apply, x))
print(gradgradcheck(SinhBad.apply, x))
