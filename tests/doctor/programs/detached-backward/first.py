# pitfall: detached-backward
# line: 20
# silent: yes
# seen: `x.detach()` in backward cuts the gradient off from `x`, so the second derivative is zero; use `x` as it was saved.
import torch
from torch.autograd import Function


class Quartic(Function):
    """Double-well potential (x^2 - 1)^2."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x * x - 1) ** 2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        x = x.detach()
        return grad_output * 4 * x * (x * x - 1)


torch.manual_seed(33)
position = torch.randn(8, dtype=torch.float64, requires_grad=True)
potential = Quartic.apply(position)
(gradient,) = torch.autograd.grad(potential.sum(), position, create_graph=True)
# how far from balance all particles are, plus the energy itself
objective = gradient.pow(2).sum() + Quartic.apply(position).sum()
objective.backward()
print("gradient of the objective:", tuple(position.grad.shape))
