# pitfall: assumes-contiguous
# line: 20
# silent: yes
# seen: `as_strided` reads `grad_output` as if it were contiguous, and a transposed one gives the wrong entries; call `.contiguous()` first.
import torch
from torch.autograd import Function


class RunningTotal(Function):
    """Cumulative sum along each row."""

    @staticmethod
    def forward(ctx, x):
        ctx.rows, ctx.columns = x.shape
        return torch.cumsum(x, dim=1)

    @staticmethod
    def backward(ctx, grad_output):
        rows, columns = ctx.rows, ctx.columns
        flat = torch.as_strided(grad_output, (rows * columns,), (1,))
        grad = flat.reshape(rows, columns)
        return grad.flip(1).cumsum(dim=1).flip(1)


torch.manual_seed(44)
rain = torch.rand(3, 7, requires_grad=True)
stations = RunningTotal.apply(rain)
by_day = stations.t()
weights = torch.randn(7, 3)
loss = (by_day * weights).sum()
loss.backward()
print("gradient:", tuple(rain.grad.shape))
