# near miss of: grad-output-mutated
# silent: yes
# seen: nothing: what is changed in place is a clone.
import torch
from torch.autograd import Function


class HardReLU(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x > 0)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (mask,) = ctx.saved_tensors
        grad_output = grad_output.clone()
        grad_output[~mask] = 0
        grad_output *= 1.0
        return grad_output


torch.manual_seed(21)
x = torch.randn(6, 5, dtype=torch.float64, requires_grad=True)
y = torch.randn(6, 5, dtype=torch.float64, requires_grad=True)
merged = HardReLU.apply(x) + y
merged.pow(2).sum().backward()
print("sibling untouched:", torch.equal(y.grad, 2 * merged.detach()))
