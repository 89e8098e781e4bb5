# Runs a module in forward under enable_grad and keeps its graph for backward.
import torch
from torch.autograd.function import once_differentiable


class Inner(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            leaf = x.detach().requires_grad_()
            y = (leaf.sin() * leaf).cumsum(0)
        ctx.leaf, ctx.inner = leaf, y
        return y.detach()

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (g,) = torch.autograd.grad(ctx.inner, ctx.leaf, grad, retain_graph=True)
        return g


x = torch.linspace(0, 1, 4, requires_grad=True)
Inner.apply(x).square().sum().backward()
print(x.grad.shape)
