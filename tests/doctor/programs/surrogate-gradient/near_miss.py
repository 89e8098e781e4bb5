# near miss of: surrogate-gradient
# silent: yes
# seen: nothing: the gradient passes straight through where forward is the identity, and is zero elsewhere, which is the derivative.
import torch
from torch.autograd import Function


class HardTanh(Function):
    @staticmethod
    def forward(ctx, x, low, high):
        ctx.save_for_backward((x > low) & (x < high))
        return x.clamp(low, high)

    @staticmethod
    def backward(ctx, grad_output):
        (inside,) = ctx.saved_tensors
        return grad_output * inside, None, None


torch.manual_seed(35)
weight = torch.randn(4, 6, dtype=torch.float64, requires_grad=True)
x = torch.randn(20, 6, dtype=torch.float64)
for _ in range(3):
    loss = (x @ HardTanh.apply(weight, -0.8, 0.8).t() - 1).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        weight -= 0.1 * weight.grad
    weight.grad = None
print("trained")
