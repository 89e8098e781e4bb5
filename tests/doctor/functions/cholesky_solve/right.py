# Solves A x = b for a symmetric positive definite A by Cholesky.
import torch
from torch.autograd import Function


class SPDSolve(Function):
    """x = A^-1 b.

    A is taken as (A + A^T) / 2, so its gradient is symmetric.
    Shapes: A (n, n), b (n, k).
    """

    @staticmethod
    def factor(a):
        symmetric = (a + a.transpose(-2, -1)) / 2
        return torch.linalg.cholesky(symmetric)

    @staticmethod
    def forward(ctx, a, b):
        if b.dim() != 2:
            raise ValueError("b has to be a matrix")
        chol = SPDSolve.factor(a)
        x = torch.cholesky_solve(b, chol)
        ctx.save_for_backward(a, x)
        return x

    @staticmethod
    def backward(ctx, grad_x):
        a, x = ctx.saved_tensors
        chol = SPDSolve.factor(a)

        # b's gradient solves the transposed system, which is the same one.
        grad_b = torch.cholesky_solve(grad_x, chol)

        grad_a = None
        if ctx.needs_input_grad[0]:
            outer = -grad_b @ x.t()
            grad_a = (outer + outer.t()) / 2
        return grad_a, grad_b


torch.manual_seed(18)
where = torch.linspace(0, 1, 6, dtype=torch.float64).unsqueeze(1)
length = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
noise = torch.tensor(0.1, dtype=torch.float64, requires_grad=True)
kernel = torch.exp(-((where - where.t()) ** 2) / (2 * length**2)) + noise * torch.eye(6, dtype=torch.float64)
observations = torch.sin(6 * where) + 0.1 * torch.randn(6, 1, dtype=torch.float64)
alpha = SPDSolve.apply(kernel, observations)
fit = (observations * alpha).sum() / 2
fit.backward()
print(length.grad.shape, noise.grad.shape)
