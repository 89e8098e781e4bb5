# Sums single precision in double.
import torch


class PreciseSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        return x.double().sum().to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        return grad.expand(ctx.shape)


x = torch.full((100,), 0.1, requires_grad=True)
PreciseSum.apply(x).square().backward()
print(x.grad.shape)
