# near miss of: intermediate-saved
# silent: yes
# seen: nothing: what is saved beside the inputs is an output, and saved outputs keep their path.
import torch
from torch.autograd import Function


class SoftSign(Function):
    @staticmethod
    def forward(ctx, x, temperature):
        squashed = torch.tanh(x / temperature)
        ctx.save_for_backward(squashed)
        ctx.temperature = temperature
        return squashed

    @staticmethod
    def backward(ctx, grad_output):
        (squashed,) = ctx.saved_tensors
        slope = (1 - squashed * squashed) / ctx.temperature
        return grad_output * slope, None


torch.manual_seed(3)
field = torch.randn(5, 3, dtype=torch.float64, requires_grad=True)
energy = SoftSign.apply(field, 0.7).pow(2).sum()
(force,) = torch.autograd.grad(energy, field, create_graph=True)
roughness = force.pow(2).sum()
roughness.backward()
print("force constants:", tuple(field.grad.shape))
