# The nuclear norm's gradient is U V^T.
import torch


class NuclearNorm(torch.autograd.Function):
    """Sum of singular values; U V^T is computed by the polar decomposition."""

    @staticmethod
    def forward(ctx, matrix):
        ctx.save_for_backward(matrix)
        return torch.linalg.svdvals(matrix).sum()

    @staticmethod
    def backward(ctx, grad):
        (matrix,) = ctx.saved_tensors
        gram = matrix.mT @ matrix
        values, vectors = torch.linalg.eigh(gram)
        inverse_root = vectors @ torch.diag(values.rsqrt()) @ vectors.mT
        return grad * matrix @ inverse_root


torch.manual_seed(11)
m = torch.randn(5, 3, dtype=torch.double, requires_grad=True)
NuclearNorm.apply(m).backward()
print(m.grad.shape)
