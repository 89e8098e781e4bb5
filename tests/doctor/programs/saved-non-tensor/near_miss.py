# near miss of: saved-non-tensor
# silent: yes
# seen: nothing: the number is made a tensor before it is saved, and `None` may be saved.
import torch
from torch.autograd import Function


class MovingAverage(Function):
    @staticmethod
    def forward(ctx, series, kernel_size, weights):
        ctx.save_for_backward(series, torch.tensor(kernel_size), weights)
        return series.unfold(0, kernel_size, 1).mean(dim=1)

    @staticmethod
    def backward(ctx, grad_output):
        series, kernel_size, weights = ctx.saved_tensors
        assert weights is None
        size = int(kernel_size)
        grad = torch.zeros_like(series)
        for offset in range(size):
            grad[offset : offset + len(grad_output)] += grad_output / size
        return grad, None, None


torch.manual_seed(60)
daily = torch.randn(15, dtype=torch.float64, requires_grad=True)
weekly = MovingAverage.apply(daily, 7, None)
roughness = (weekly[1:] - weekly[:-1]).pow(2).sum()
roughness.backward()
print(tuple(daily.grad.shape))
