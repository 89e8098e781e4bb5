# pitfall: numpy-in-backward
# line: 22
# silent: no
# seen: the gradient is computed by NumPy (`g.numpy()`), which fails for a second derivative; use `torch.linalg` instead.
import numpy as np
import torch


class SolveSystem(torch.autograd.Function):
    """x with A x = b, by LAPACK through NumPy."""

    @staticmethod
    def forward(ctx, matrix, rhs):
        solution = np.linalg.solve(matrix.detach().numpy(), rhs.detach().numpy())
        solution = torch.from_numpy(solution)
        ctx.save_for_backward(matrix, solution)
        return solution

    @staticmethod
    def backward(ctx, g):
        matrix, solution = ctx.saved_tensors
        adjoint = np.linalg.solve(matrix.detach().numpy().T, g.numpy())
        grad_rhs = torch.from_numpy(adjoint)
        return -torch.outer(grad_rhs, solution), grad_rhs


torch.manual_seed(32)
stiffness = torch.eye(4, dtype=torch.float64) * 3 + torch.rand(4, 4, dtype=torch.float64)
stiffness.requires_grad_(True)
load = torch.randn(4, dtype=torch.float64, requires_grad=True)
bending = SolveSystem.apply(stiffness, load).pow(2).sum()
(sensitivity,) = torch.autograd.grad(bending, load, create_graph=True)
smoothness = sensitivity.pow(2).sum()
smoothness.backward()
print(stiffness.grad)
