# Concatenation and its adjoint, the split.
import torch


class Cat(torch.autograd.Function):
    @staticmethod
    def forward(ctx, dim, *parts):
        ctx.dim, ctx.sizes = dim, [p.shape[dim] for p in parts]
        return torch.cat(parts, dim)

    @staticmethod
    def backward(ctx, grad):
        return None, *grad.split(ctx.sizes, ctx.dim)


torch.manual_seed(51)
a, b = torch.randn(2, 1, requires_grad=True), torch.randn(2, 3, requires_grad=True)
Cat.apply(1, a, b).logsumexp(1).sum().backward()
print(a.grad.shape, b.grad.shape)
