# The square root of symmetric positive definite matrices, by eigenvalues.
import torch
from torch.autograd import Function


class MatrixSqrt(Function):
    """S^(1/2) of a symmetrised S, with the Daleckii-Krein formula backwards."""

    @staticmethod
    def decompose(s):
        symmetric = (s + s.transpose(-2, -1)) / 2
        values, vectors = torch.linalg.eigh(symmetric)
        return values.clamp(min=1e-12), vectors

    @staticmethod
    def forward(ctx, s):
        if s.shape[-1] != s.shape[-2]:
            raise ValueError("not square")
        values, vectors = MatrixSqrt.decompose(s)
        root = vectors * values.sqrt().unsqueeze(-2) @ vectors.transpose(-2, -1)
        ctx.save_for_backward(s)
        return root

    @staticmethod
    def backward(ctx, grad_root):
        (s,) = ctx.saved_tensors
        values, vectors = MatrixSqrt.decompose(s)
        roots = values.sqrt()

        # (f(a) - f(b)) / (a - b) of f = sqrt is 1 / (sqrt a + sqrt b)
        divided = 1 / (roots.unsqueeze(-1) + roots.unsqueeze(-2))

        inner = vectors.transpose(-2, -1) @ grad_root @ vectors
        outer = vectors @ (inner * divided) @ vectors.transpose(-2, -1)
        return (outer + outer.transpose(-2, -1)) / 2


def bures_distance(a, b):
    """Squared Bures distance of covariances, as in the FID score."""
    root = MatrixSqrt.apply(a)
    cross = MatrixSqrt.apply(root @ b @ root)
    return torch.trace(a) + torch.trace(b) - 2 * torch.trace(cross)


torch.manual_seed(21)
real = torch.randn(30, 4, dtype=torch.float64)
base = torch.randn(30, 4, dtype=torch.float64)
mixing = torch.randn(4, 4, dtype=torch.float64, requires_grad=True)
fake = base @ mixing
loss = bures_distance(fake.t() @ fake / 30, real.t() @ real / 30)
loss.backward()
print(mixing.grad.shape)
