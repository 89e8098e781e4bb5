# pitfall: saved-twice
# line: 14
# silent: no
# seen: the second `save_for_backward` replaces the first, so only `weight` is saved; save both in one call.
import torch
from torch.autograd import Function


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x)
        out = x @ weight.t()
        ctx.save_for_backward(weight)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        return grad_output @ weight, grad_output.t() @ x


torch.manual_seed(58)
x = torch.randn(10, 4)
weight = torch.randn(3, 4, requires_grad=True)
goal = torch.randn(10, 3)
for epoch in range(3):
    loss = (Linear.apply(x, weight) - goal).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        weight -= 0.1 * weight.grad
    weight.grad = None
print("trained")
