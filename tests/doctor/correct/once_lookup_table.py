# A table of slopes, found once in forward.
import torch
from torch.autograd.function import once_differentiable

KNOTS = torch.tensor([0.0, 1.0, 4.0, 9.0], dtype=torch.float64)


class Piecewise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        cell = x.floor().long().clamp(0, 2)
        slope = KNOTS[cell + 1] - KNOTS[cell]
        ctx.save_for_backward(slope)
        return KNOTS[cell] + (x - cell) * slope

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0]


x = torch.tensor([0.3, 1.6, 2.2], dtype=torch.float64, requires_grad=True)
Piecewise.apply(x).sum().backward()
print(x.grad.tolist())
