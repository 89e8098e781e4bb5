# A black-box solver with an adjoint solve.
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class NumpySolve(torch.autograd.Function):
    @staticmethod
    def forward(ctx, matrix, rhs):
        x = torch.from_numpy(np.linalg.solve(matrix.detach().numpy(), rhs.detach().numpy()))
        ctx.save_for_backward(matrix, x)
        return x

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        matrix, x = ctx.saved_tensors
        adjoint = torch.from_numpy(np.linalg.solve(matrix.numpy().T, grad.numpy()))
        return -adjoint.outer(x), adjoint


torch.manual_seed(18)
matrix = (torch.randn(4, 4, dtype=torch.float64) + 4 * torch.eye(4)).requires_grad_()
rhs = torch.randn(4, dtype=torch.float64, requires_grad=True)
NumpySolve.apply(matrix, rhs).square().sum().backward()
print(matrix.grad.shape, rhs.grad.shape)
