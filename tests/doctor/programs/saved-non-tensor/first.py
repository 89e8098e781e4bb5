# pitfall: saved-non-tensor
# line: 12
# silent: no
# seen: `save_for_backward` takes only tensors, and `kernel_size` is an int; keep it as `ctx.kernel_size`.
import torch
from torch.autograd import Function


class MovingAverage(Function):
    @staticmethod
    def forward(ctx, series, kernel_size):
        ctx.save_for_backward(series, kernel_size)
        return series.unfold(0, kernel_size, 1).mean(dim=1)

    @staticmethod
    def backward(ctx, grad_output):
        series, kernel_size = ctx.saved_tensors
        grad = torch.zeros_like(series)
        for offset in range(kernel_size):
            grad[offset : offset + len(grad_output)] += grad_output / kernel_size
        return grad, None


torch.manual_seed(60)
daily = torch.randn(30, requires_grad=True)
weekly = MovingAverage.apply(daily, 7)
roughness = (weekly[1:] - weekly[:-1]).pow(2).sum()
roughness.backward()
print(daily.grad.norm())
