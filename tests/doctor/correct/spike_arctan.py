# intended: surrogate
# A spike with an arctangent as surrogate.
import math

import torch


class ATan(torch.autograd.Function):
    alpha = 2.0

    @staticmethod
    def forward(ctx, u):
        ctx.save_for_backward(u)
        return u.ge(0).to(u)

    @staticmethod
    def backward(ctx, grad):
        (u,) = ctx.saved_tensors
        a = ATan.alpha
        return grad * a / 2 / (1 + (math.pi / 2 * a * u) ** 2)


u = torch.linspace(-1, 1, 9, dtype=torch.float64, requires_grad=True)
ATan.apply(u).sum().backward()
print(u.grad.shape)
