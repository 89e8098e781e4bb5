# near miss of: numpy-in-place
# silent: yes
# seen: nothing: NumPy changes a copy, not the input.
import numpy as np
import torch
from torch.autograd import Function


class Doppler(Function):
    @staticmethod
    def forward(ctx, velocity):
        ctx.save_for_backward(velocity)
        values = velocity.detach().numpy().copy()
        values *= 2
        np.square(values, out=values)
        return torch.from_numpy(values)

    @staticmethod
    def backward(ctx, grad_output):
        (velocity,) = ctx.saved_tensors
        return grad_output * 8 * velocity


torch.manual_seed(24)
start = torch.linspace(0.5, 2.0, 6, dtype=torch.float64, requires_grad=True)
velocity = start * 1.5
shift = Doppler.apply(velocity)
loss = shift.sum() + velocity.sum()
loss.backward()
print("gradient:", tuple(start.grad.shape))
