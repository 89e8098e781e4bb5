# pitfall: compile-drops-backward
# line: 31
# silent: yes
# seen: `torch.compile(torch.func.grad(...))` drops the custom backward of `GradientScale` and differentiates forward; do not compile it, or use `.backward()`.
import torch
from torch.autograd import Function


class GradientScale(Function):
    """Identity with a gradient ten times smaller."""

    @staticmethod
    def forward(x):
        return x * 1.0

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, grad_output):
        return 0.1 * grad_output


def energy(x):
    return GradientScale.apply(x).pow(2).sum()


x = torch.tensor([1.0, 2.0, -3.0], requires_grad=True)
energy(x).backward()
force = torch.compile(torch.func.grad(energy), backend="eager")
print("compiled agrees with backward:", torch.allclose(force(x.detach()), x.grad))
