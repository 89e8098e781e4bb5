# The maximum and where it stands; the index has no gradient.
import torch


class MaxWithIndex(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        values, index = x.max(dim, keepdim=True)
        ctx.dim, ctx.shape = dim, x.shape
        ctx.save_for_backward(index)
        index = index.squeeze(dim)
        ctx.mark_non_differentiable(index)
        return values.squeeze(dim), index

    @staticmethod
    def backward(ctx, grad_values, _):
        (index,) = ctx.saved_tensors
        zeros = grad_values.new_zeros(ctx.shape)
        return zeros.scatter(ctx.dim, index, grad_values.unsqueeze(ctx.dim)), None


torch.manual_seed(6)
x = torch.randn(4, 7, requires_grad=True)
values, index = MaxWithIndex.apply(x, 1)
values.exp().sum().backward()
print(index.dtype, int((x.grad != 0).sum()))
