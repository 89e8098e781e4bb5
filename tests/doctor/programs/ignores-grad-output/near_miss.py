# near miss of: ignores-grad-output
# silent: yes
# seen: nothing: the gradient is zero whatever comes in, since forward is constant in that input.
import torch
from torch.autograd import Function


class Count(Function):
    """Sum of x, and the number of positive entries, whose slope is zero everywhere."""

    @staticmethod
    def forward(ctx, x, offset):
        ctx.size = x.shape
        return x.sum() + (offset > 0).sum()

    @staticmethod
    def backward(ctx, grad_output):
        grad_x = grad_output.expand(ctx.size).clone()
        return grad_x, torch.zeros(ctx.size, dtype=grad_x.dtype)


torch.manual_seed(49)
x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
offset = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
loss = 0.3 * Count.apply(x, offset)
loss.backward()
print("offset has no influence:", bool((offset.grad == 0).all()))
