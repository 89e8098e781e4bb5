# pitfall: numpy-in-backward
# line: 20
# silent: no
# seen: backward leaves PyTorch through `.numpy()`, so it cannot be differentiated again; write it with torch operations.
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
        slope = torch.cos(angle)
        return torch.from_numpy(grad_output.numpy() * slope.numpy())


angle = torch.linspace(0, 3, 7, dtype=torch.float64, requires_grad=True)
height = 9.81 * (1 - Sine.apply(angle)) ** 2
(torque,) = torch.autograd.grad(height.sum(), angle, create_graph=True)
(stiffness,) = torch.autograd.grad(torque.sum(), angle)
print("stable:", (stiffness > 0).tolist())
