# near miss of: overlapping-memory
# silent: yes
# seen: nothing: the expanded tensor is copied before it is given to gradcheck.
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
row = torch.randn(1, 3, dtype=torch.float64)
bias = row.expand(5, 3).contiguous().requires_grad_(True)
shifted = AddBias.apply(x, bias)
shifted.sigmoid().sum().backward()
assert gradcheck(AddBias.apply, (x, bias))
print("gradient verified for", x.shape[0], "rows")
