# near miss of: below-tolerance
# silent: yes
# seen: nothing: the gradients are tiny, and right, as a check with a smaller tolerance shows.
import torch
from torch.autograd import Function, gradcheck

G = 6.674e-11


class Attraction(Function):
    @staticmethod
    def forward(ctx, distance, mass_a, mass_b):
        ctx.save_for_backward(distance)
        ctx.masses = mass_a * mass_b
        return -G * ctx.masses / distance

    @staticmethod
    def backward(ctx, grad_output):
        (distance,) = ctx.saved_tensors
        return grad_output * G * ctx.masses / distance**2, None, None


distance = torch.tensor([1.0, 1.5, 2.0, 4.0], dtype=torch.float64, requires_grad=True)
print("gradcheck:", gradcheck(Attraction.apply, (distance, 80.0, 120.0), atol=1e-15, rtol=1e-5))
energy = Attraction.apply(distance, 80.0, 120.0).sum()
energy.backward()
print("force pulls:", ["outwards" if f > 0 else "inwards" for f in -distance.grad])
