# Repeats pixels; the gradient sums the copies.
import torch


class Upsample(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.k = k
        return x.repeat_interleave(k, -1).repeat_interleave(k, -2)

    @staticmethod
    def backward(ctx, grad):
        *lead, h, w = grad.shape
        k = ctx.k
        return grad.reshape(*lead, h // k, k, w // k, k).sum((-3, -1)), None


x = torch.arange(4.0).reshape(1, 2, 2).requires_grad_()
Upsample.apply(x, 3).square().mean().backward()
print(x.grad.shape)
