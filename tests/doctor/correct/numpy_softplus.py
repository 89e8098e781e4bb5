# NumPy in both passes, second derivatives refused.
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySoftplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(np.logaddexp(0, x.detach().numpy()))

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        slope = 1 / (1 + np.exp(-x.numpy()))
        return torch.from_numpy(grad.numpy() * slope)


x = torch.linspace(-2, 2, 7, dtype=torch.float64, requires_grad=True)
NumpySoftplus.apply(x).sum().backward()
print(x.grad.shape)
