# near miss of: assumes-contiguous
# silent: yes
# seen: nothing: the raw strides are read after `.contiguous()`, and the `.view` is of a contiguous tensor.
import torch
from torch.autograd import Function


class RunningTotal(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.rows, ctx.columns = x.shape
        return torch.cumsum(x, dim=1)

    @staticmethod
    def backward(ctx, grad_output):
        rows, columns = ctx.rows, ctx.columns
        grad_output = grad_output.contiguous()
        flat = torch.as_strided(grad_output, (rows * columns,), (1,))
        grad = flat.view(rows, columns)
        return grad.flip(1).cumsum(dim=1).flip(1)


torch.manual_seed(44)
rain = torch.rand(3, 7, dtype=torch.float64, requires_grad=True)
by_day = RunningTotal.apply(rain).t()
weights = torch.randn(7, 3, dtype=torch.float64)
loss = (by_day * weights).sum()
loss.backward()
print("gradient:", tuple(rain.grad.shape))
