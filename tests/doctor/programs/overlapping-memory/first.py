# pitfall: overlapping-memory
# line: 26
# silent: no
# seen: the input given to gradcheck is expanded, so several entries share one place in memory; call `.contiguous()` (or `.clone()`) on it.
import torch
from torch.autograd import Function, gradcheck


class AddBias(Function):
    @staticmethod
    def forward(ctx, x, bias):
        return x + bias

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, grad_output


torch.manual_seed(53)
x = torch.randn(5, 3, dtype=torch.float64, requires_grad=True)
bias = torch.randn(1, 3, dtype=torch.float64).expand(5, 3).requires_grad_(True)
shifted = AddBias.apply(x, bias)
shifted.sigmoid().sum().backward()
print("trained on", x.shape[0], "rows")

assert gradcheck(AddBias.apply, (x, bias))
print("gradient verified")
