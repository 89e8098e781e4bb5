# near miss of: numpy-in-backward
# silent: yes
# seen: nothing: NumPy computes forward only, and backward is written with torch operations.
import numpy as np
import torch
from torch.autograd import Function


class Sine(Function):
    @staticmethod
    def forward(ctx, angle):
        ctx.save_for_backward(angle)
        return torch.from_numpy(np.sin(angle.detach().numpy()))

    @staticmethod
    def backward(ctx, grad_output):
        (angle,) = ctx.saved_tensors
        return grad_output * torch.cos(angle)


angle = torch.linspace(0, 3, 7, dtype=torch.float64, requires_grad=True)
height = Sine.apply(angle)
(velocity,) = torch.autograd.grad(height.sum(), angle, create_graph=True)
(acceleration,) = torch.autograd.grad(velocity.sum(), angle)
print("sine is its own opposite:", torch.allclose(acceleration, -height))
print("as NumPy says:", np.allclose(velocity.detach().numpy(), np.cos(angle.detach().numpy())))
