# near miss of: keyword-arguments
# silent: yes
# seen: nothing: `apply` takes ordinary parameters by keyword, and backward returns a value for each.
import torch
from torch.autograd import Function


class LeakyReLU(Function):
    @staticmethod
    def forward(ctx, x, negative_slope=0.01):
        ctx.save_for_backward(x)
        ctx.negative_slope = negative_slope
        return torch.where(x > 0, x, negative_slope * x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, grad_output, ctx.negative_slope * grad_output), None


torch.manual_seed(40)
x = torch.randn(3, 6, dtype=torch.float64, requires_grad=True)
loss = LeakyReLU.apply(x, negative_slope=0.2).pow(2).mean() + LeakyReLU.apply(x).sum()
loss.backward()
print(tuple(x.grad.shape))
