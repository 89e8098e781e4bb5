# intended: surrogate
# Uniform quantisation to a number of bits.
import torch


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, bits):
        levels = 2**bits - 1
        ctx.mask = (x >= 0) & (x <= 1)
        return (x.clamp(0, 1) * levels).round() / levels

    @staticmethod
    def backward(ctx, grad):
        # straight-through inside of [0, 1]
        return grad * ctx.mask, None


torch.manual_seed(39)
x = torch.rand(8, requires_grad=True)
Quantise.apply(x, 3).square().sum().backward()
print(x.grad.shape)
