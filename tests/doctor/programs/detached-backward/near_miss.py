# near miss of: detached-backward
# silent: yes
# seen: nothing: what is detached does not depend on the input, and the path to `x` is whole.
import torch
from torch.autograd import Function


class Quartic(Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale.detach())
        return scale * (x * x - 1) ** 2

    @staticmethod
    def backward(ctx, grad_output):
        x, scale = ctx.saved_tensors
        factor = 4 * scale.item()
        return grad_output * factor * x * (x * x - 1), None


torch.manual_seed(33)
position = torch.randn(8, dtype=torch.float64, requires_grad=True)
scale = torch.tensor(0.5, dtype=torch.float64)
potential = Quartic.apply(position, scale)
(gradient,) = torch.autograd.grad(potential.sum(), position, create_graph=True)
objective = gradient.pow(2).sum() + Quartic.apply(position, scale).sum()
objective.backward()
print("gradient of the objective:", tuple(position.grad.shape))
