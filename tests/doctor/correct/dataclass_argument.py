# A dataclass of settings.
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Potential:
    depth: float
    width: float


class Gauss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, r, p):
        ctx.p = p
        ctx.save_for_backward(r)
        return -p.depth * torch.exp(-((r / p.width) ** 2))

    @staticmethod
    def backward(ctx, grad):
        (r,) = ctx.saved_tensors
        p = ctx.p
        return grad * p.depth * torch.exp(-((r / p.width) ** 2)) * 2 * r / p.width**2, None


r = torch.linspace(0.1, 2, 5, requires_grad=True)
Gauss.apply(r, Potential(2.0, 0.7)).sum().backward()
print(r.grad.shape)
