# A projection on symmetric matrices is its own adjoint.
import torch


class Symmetrise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return (a + a.mT) / 2

    @staticmethod
    def backward(ctx, grad):
        return (grad + grad.mT) / 2


torch.manual_seed(68)
a = torch.randn(2, 3, 3, requires_grad=True)
Symmetrise.apply(a).square().triu().sum().backward()
print(a.grad.shape)
