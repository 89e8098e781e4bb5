# A deep equilibrium layer: the adjoint is a fixed point, too.
import torch
from torch.autograd.function import once_differentiable


class FixedPoint(torch.autograd.Function):
    """z = tanh(z W + x)."""

    @staticmethod
    def forward(ctx, x, w):
        z = torch.zeros_like(x)
        for _ in range(80):
            z = torch.tanh(z @ w + x)
        ctx.save_for_backward(z, w)
        return z

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        z, w = ctx.saved_tensors
        slope, u = 1 - z**2, grad
        for _ in range(80):
            u = grad + (u * slope) @ w.t()
        v = u * slope
        return v, z.t() @ v


torch.manual_seed(61)
x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
w = (torch.randn(4, 4, dtype=torch.float64) * 0.15).requires_grad_()
FixedPoint.apply(x, w).square().sum().backward()
print(x.grad.shape, w.grad.shape)
