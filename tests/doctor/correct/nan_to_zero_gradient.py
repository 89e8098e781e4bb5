# intended: cleaned
# Replaces gradients that are not finite.
import torch


class CleanGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return torch.where(torch.isfinite(grad), grad, torch.zeros_like(grad))


x = torch.tensor([0.0, 1.0, 4.0], requires_grad=True)
CleanGradient.apply(x).sqrt().sum().backward()
print(x.grad.tolist())
