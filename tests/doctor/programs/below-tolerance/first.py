# pitfall: below-tolerance
# line: 23
# silent: yes
# seen: the gradient has the wrong sign, and gradcheck passes only because it is smaller than `atol`; rescale the inputs, or lower `atol`.
import torch
from torch.autograd import Function, gradcheck

G = 6.674e-11


class Attraction(Function):
    """Gravitational energy of two masses at a distance."""

    @staticmethod
    def forward(ctx, distance, mass_a, mass_b):
        ctx.save_for_backward(distance)
        ctx.masses = mass_a * mass_b
        return -G * ctx.masses / distance

    @staticmethod
    def backward(ctx, grad_output):
        (distance,) = ctx.saved_tensors
        return -grad_output * G * ctx.masses / distance**2, None, None


distance = torch.tensor([1.0, 1.5, 2.0, 4.0], dtype=torch.float64, requires_grad=True)
print("gradcheck:", gradcheck(Attraction.apply, (distance, 80.0, 120.0)))
energy = Attraction.apply(distance, 80.0, 120.0).sum()
energy.backward()
print("force pulls:", ["outwards" if f > 0 else "inwards" for f in -distance.grad])
