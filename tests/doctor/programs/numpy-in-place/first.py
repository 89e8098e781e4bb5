# pitfall: numpy-in-place
# line: 16
# silent: yes
# seen: the NumPy array shares the input's memory, so `values *= 2` changes the input behind autograd's back; copy it first.
import numpy as np
import torch
from torch.autograd import Function


class Doppler(Function):
    """Frequency shift of a moving source, by NumPy."""

    @staticmethod
    def forward(ctx, velocity):
        values = velocity.detach().numpy()
        values *= 2
        ctx.save_for_backward(velocity)
        return torch.from_numpy(np.square(values))

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
