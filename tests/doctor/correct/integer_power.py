# An integer tensor as exponent.
import torch


class IntegerPower(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        ctx.save_for_backward(x, n)
        return x**n

    @staticmethod
    def backward(ctx, grad):
        x, n = ctx.saved_tensors
        return grad * n * x ** (n - 1), None


x = torch.tensor([2.0, 3.0, 0.5], requires_grad=True)
IntegerPower.apply(x, torch.tensor([1, 2, 3])).sum().backward()
print(x.grad.tolist())
