# pitfall: nonlinear-in-grad-output
# line: 19
# silent: yes
# seen: the result is not linear in `grad_output`: it is clamped to [-1, 1], so large incoming gradients are cut off.
import torch
from torch.autograd import Function


class SafeLog(Function):
    @staticmethod
    def forward(ctx, x, eps):
        ctx.save_for_backward(x)
        ctx.eps = eps
        return torch.log(x + eps)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        grad = grad_output.clamp(-1, 1)
        return grad / (x + ctx.eps), None


torch.manual_seed(42)
counts = torch.rand(20, requires_grad=True)
weights = torch.linspace(0.5, 10, 20)
log_likelihood = (weights * SafeLog.apply(counts, 1e-3)).sum()
loss = -log_likelihood
loss.backward()
print("gradient:", tuple(counts.grad.shape))
