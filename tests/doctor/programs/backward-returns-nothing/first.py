# pitfall: backward-returns-nothing
# line: 18
# silent: yes
# seen: backward computes a gradient and does not return it, so `x.grad` stays None; add `return`.
import torch
from torch.autograd import Function


class LeakyClip(Function):
    """Identity inside [-1, 1], slope 0.1 outside."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x.abs() <= 1, x, x.sign() * (0.9 + 0.1 * x.abs()))

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        slope = torch.where(x.abs() <= 1, 1.0, 0.1)
        grad_input = grad_output * slope


torch.manual_seed(6)
control = torch.linspace(-2, 2, 9, requires_grad=True)
reference = torch.zeros(9)
for epoch in range(3):
    cost = (LeakyClip.apply(control) - reference).pow(2).sum()
    cost.backward()
    if control.grad is not None:
        with torch.no_grad():
            control -= 0.1 * control.grad
        control.grad = None
print("after training:", [round(v, 2) for v in control.tolist()])
