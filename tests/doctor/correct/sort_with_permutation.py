# Sorting is a permutation, and so is its adjoint.
import torch
from torch.autograd import Function


class Sort(Function):
    @staticmethod
    def forward(ctx, x):
        ordered, order = x.sort(dim=-1)
        ctx.order = order
        ctx.mark_non_differentiable(order)
        return ordered, order

    @staticmethod
    def backward(ctx, grad_sorted, _grad_order):
        back = torch.argsort(ctx.order, dim=-1)
        return torch.gather(grad_sorted, -1, back)


torch.manual_seed(8)
a = torch.randn(3, 9, requires_grad=True)
b = torch.randn(3, 9)
wasserstein = (Sort.apply(a)[0] - b.sort(-1).values).square().mean()
wasserstein.backward()
print(a.grad.shape)
