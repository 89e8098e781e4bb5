# pitfall: undefined-gradient
# line: 20
# silent: no
# seen: with `set_materialize_grads(False)` the gradient of an unused output is None; check for None before multiplying.
import torch
from torch.autograd import Function


class PolarToCartesian(Function):
    @staticmethod
    def forward(ctx, radius, angle):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(radius, angle)
        return radius * torch.cos(angle), radius * torch.sin(angle)

    @staticmethod
    def backward(ctx, grad_x, grad_y):
        radius, angle = ctx.saved_tensors
        cos, sin = torch.cos(angle), torch.sin(angle)
        grad_radius = cos * grad_x + sin * grad_y
        grad_angle = radius * (-sin * grad_x + cos * grad_y)
        return grad_radius, grad_angle


torch.manual_seed(62)
radius = (torch.rand(6) + 1).requires_grad_(True)
angle = (torch.rand(6) * 3).requires_grad_(True)
x, y = PolarToCartesian.apply(radius, angle)
wall = torch.tensor(2.5)
loss = (wall - x).pow(2).sum()
loss.backward()
print(angle.grad)
