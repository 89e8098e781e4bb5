# intended: clipped
# Limits the norm of the gradient that passes.
import torch


class ClipNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        norm = grad.norm()
        return grad * (ctx.limit / norm.clamp(min=ctx.limit)), None


x = torch.arange(4.0, requires_grad=True)
ClipNorm.apply(x, 1.0).pow(3).sum().backward()
print(x.grad.shape)
