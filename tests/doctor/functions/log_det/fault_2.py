# fault: transposed
# line: 35
# order: 1
import torch


class LogDet(torch.autograd.Function):
    """log(det(A)) for A of shape (batch, n, n) with positive determinants."""

    @staticmethod
    def sign_and_log(lu, pivots):
        """The determinant's sign and logarithm, of an LU factorisation."""
        n = lu.shape[-1]
        diagonal = lu.diagonal(dim1=-2, dim2=-1)
        swaps = (pivots != torch.arange(1, n + 1)).sum(-1)
        negatives = (diagonal < 0).sum(-1)
        sign = 1 - 2 * ((swaps + negatives) % 2)
        return sign, diagonal.abs().log().sum(-1)

    @staticmethod
    def forward(ctx, a):
        if a.dim() != 3 or a.shape[1] != a.shape[2]:
            raise ValueError("a batch of square matrices is needed")
        sign, value = LogDet.sign_and_log(*torch.linalg.lu_factor(a))
        if (sign <= 0).any():
            raise ValueError("a determinant is not positive")
        ctx.save_for_backward(a)
        return value

    @staticmethod
    def backward(ctx, grad_value):
        (a,) = ctx.saved_tensors
        inverse = torch.linalg.inv(a)
        # d log det A = trace(A^-1 dA)
        return grad_value[:, None, None] * inverse


class FullCovariance(torch.nn.Module):
    """Log-density of a mixture's components, without the constant."""

    def __init__(self, components, width):
        super().__init__()
        start = torch.eye(width, dtype=torch.float64).repeat(components, 1, 1)
        self.factor = torch.nn.Parameter(start + 0.2 * torch.randn_like(start))
        self.mean = torch.nn.Parameter(torch.randn(components, width, dtype=torch.float64))

    def forward(self, x):
        precision = self.factor @ self.factor.transpose(1, 2)
        diff = x.unsqueeze(1) - self.mean
        distance = torch.einsum("nki,kij,nkj->nk", diff, precision, diff)
        skewed = precision + 0.1 * self.factor.tril(-1)
        return 0.5 * (LogDet.apply(skewed) - distance)


torch.manual_seed(22)
mixture = FullCovariance(3, 2)
x = torch.randn(12, 2, dtype=torch.float64)
loss = -torch.logsumexp(mixture(x), 1).mean()
loss.backward()
print(mixture.factor.grad.shape, mixture.mean.grad.shape)
