# The adjoint of a cumulative sum runs from the other end.
import torch


class CumSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        ctx.dim = dim
        return x.cumsum(dim)

    @staticmethod
    def backward(ctx, grad):
        return grad.flip(ctx.dim).cumsum(ctx.dim).flip(ctx.dim), None


x = torch.arange(6.0).reshape(2, 3).requires_grad_()
CumSum.apply(x, 1).square().sum().backward()
print(x.grad.shape)
