# intended: surrogate
# Binary activation with a straight-through gradient.
import torch


class SignSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.where(x >= 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx, grad):
        return grad


torch.manual_seed(36)
w = torch.randn(4, 3, requires_grad=True)
(torch.randn(5, 4) @ SignSTE.apply(w)).square().mean().backward()
print(w.grad.shape)
