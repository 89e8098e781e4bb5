# Two forwards share one backward.
import torch


class Shift(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, by):
        return x + by

    @staticmethod
    def backward(ctx, grad):
        return grad, None


class Unshift(Shift):
    @staticmethod
    def forward(ctx, x, by):
        return x - by


x = torch.ones(3, requires_grad=True)
Unshift.apply(Shift.apply(x, 2.0).square(), 1.0).sum().backward()
print(x.grad.tolist())
