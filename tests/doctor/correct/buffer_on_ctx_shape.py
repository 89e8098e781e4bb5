# Average pooling needs only shapes.
import torch


class AveragePool(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, size):
        ctx.size = size
        return x.unflatten(-1, (-1, size)).mean(-1)

    @staticmethod
    def backward(ctx, grad):
        return grad.repeat_interleave(ctx.size, -1) / ctx.size, None


x = torch.arange(8.0).reshape(2, 4).requires_grad_()
AveragePool.apply(x, 2).square().sum().backward()
print(x.grad.tolist())
