# A subclass scales what its parent computes.
import torch


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * (1 - y**2)


class TwiceTanh(Tanh):
    @staticmethod
    def forward(ctx, x):
        return 2 * Tanh.forward(ctx, x)

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return 2 * grad * (1 - y**2)


class SechTanh(Tanh):
    pass


x = torch.linspace(-1, 1, 5, requires_grad=True)
SechTanh.apply(x).sum().backward()
print(x.grad.shape)
