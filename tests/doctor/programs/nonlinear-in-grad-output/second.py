# pitfall: nonlinear-in-grad-output
# line: 22
# silent: yes
# seen: `grad_output.abs()` loses the sign of the incoming gradient, and a vector-Jacobian product has to be linear in it.
import torch
from torch import nn


class L1Shrink(torch.autograd.Function):
    """Soft threshold: moves every value towards zero by lam."""

    @staticmethod
    def forward(ctx, x, lam):
        ctx.save_for_backward(x)
        ctx.lam = lam
        return torch.sign(x) * (x.abs() - lam).clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        alive = x.abs() > ctx.lam
        return grad_output.abs() * alive, None


class SparseCoder(nn.Module):
    def __init__(self, width, atoms):
        super().__init__()
        self.encode = nn.Linear(width, atoms)
        self.decode = nn.Linear(atoms, width, bias=False)

    def forward(self, x):
        return self.decode(L1Shrink.apply(self.encode(x), 0.3))


torch.manual_seed(43)
coder = SparseCoder(8, 12)
patches = torch.randn(10, 8)
loss = (coder(patches) - patches).pow(2).mean()
loss.backward()
print("encoder:", tuple(coder.encode.weight.grad.shape))
