# intended: surrogate
# Rounding passes the gradient straight through.
import torch


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.clone()


x = torch.linspace(-2.2, 2.3, 6, requires_grad=True)
(Round.apply(x) - 0.5).square().sum().backward()
print(x.grad.tolist())
