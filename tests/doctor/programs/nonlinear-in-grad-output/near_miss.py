# near miss of: nonlinear-in-grad-output
# silent: yes
# seen: nothing: what is clamped is the input, and the result is linear in `grad_output`.
import torch
from torch.autograd import Function


class Huber(Function):
    @staticmethod
    def forward(ctx, error, delta):
        ctx.save_for_backward(error)
        ctx.delta = delta
        small = error.abs() <= delta
        return torch.where(small, 0.5 * error**2, delta * (error.abs() - 0.5 * delta))

    @staticmethod
    def backward(ctx, grad_output):
        (error,) = ctx.saved_tensors
        return grad_output * error.clamp(-ctx.delta, ctx.delta), None


torch.manual_seed(42)
measured = torch.randn(20, dtype=torch.float64, requires_grad=True)
weights = torch.linspace(-5, 10, 20, dtype=torch.float64)
loss = (weights * Huber.apply(3 * measured, 1.0)).sum()
loss.backward()
print("gradient:", tuple(measured.grad.shape))
