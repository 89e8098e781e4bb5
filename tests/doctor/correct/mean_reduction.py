# A mean over chosen dimensions.
import torch


class Mean(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dims):
        ctx.shape, ctx.dims = x.shape, dims
        return x.mean(dims, keepdim=True)

    @staticmethod
    def backward(ctx, grad):
        count = 1
        for d in ctx.dims:
            count *= ctx.shape[d]
        return grad.expand(ctx.shape) / count, None


x = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()
Mean.apply(x, (0, 2)).square().sum().backward()
print(x.grad.shape)
