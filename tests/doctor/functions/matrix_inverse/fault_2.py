# fault: detached
# line: 31
# order: 2
import torch
from torch.autograd import Function


class Inverse(Function):
    """y = x^-1 of matrices of shape (..., n, n).

    From x y = I follows dy = -y dx y. The output is saved, and no input:
    it is all that the gradient needs. `damping` is added to the diagonal,
    which does not change the formula: d(x + damping I) = dx.
    """

    @staticmethod
    def forward(ctx, x, damping=0.0):
        if x.shape[-1] != x.shape[-2]:
            raise ValueError("only square matrices have an inverse")
        n = x.shape[-1]
        if damping:
            x = x + damping * torch.eye(n, dtype=x.dtype)
        y, info = torch.linalg.inv_ex(x)
        if info.any():
            raise ValueError("a matrix of the batch is singular")
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        y = ctx.saved_tensors[0].data
        grad_x = None
        if ctx.needs_input_grad[0]:
            y_t = y.transpose(-2, -1)
            grad_x = -y_t @ grad_y @ y_t
        # damping is a number
        return grad_x, None


def mahalanobis(points, covariance):
    precision = Inverse.apply(covariance, 1e-3)
    return torch.einsum("bni,bij,bnj->bn", points, precision, points)


torch.manual_seed(20)
points = torch.randn(2, 5, 3, dtype=torch.float64)
root = torch.randn(2, 3, 3, dtype=torch.float64, requires_grad=True)
shear = torch.tensor([[1.0, 0.4, 0.0], [0.0, 1.0, 0.2], [0.0, 0.0, 1.0]], dtype=torch.float64)
covariance = (root @ root.transpose(1, 2) + torch.eye(3, dtype=torch.float64)) @ shear
distance = mahalanobis(points, covariance)
loss = distance.clamp(max=4).mean()
loss.backward()
print(root.grad.shape)
