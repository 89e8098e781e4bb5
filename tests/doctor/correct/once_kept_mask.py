# Dropout that keeps its mask as an attribute.
import torch
from torch.autograd.function import once_differentiable


class Dropout(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p):
        ctx.mask = (torch.rand(x.shape) > p).to(x.dtype) / (1 - p)
        return x * ctx.mask

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        return grad * ctx.mask, None


torch.manual_seed(54)
x = torch.ones(10, requires_grad=True)
Dropout.apply(x, 0.3).square().sum().backward()
print(x.grad.shape)
