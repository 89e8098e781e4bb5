# near miss of: undefined-gradient
# silent: yes
# seen: nothing: gradients are not materialised, and each is compared with None before it is used.
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
        grad_radius = torch.zeros_like(radius)
        grad_angle = torch.zeros_like(angle)
        if grad_x is not None:
            grad_radius = grad_radius + torch.cos(angle) * grad_x
            grad_angle = grad_angle - radius * torch.sin(angle) * grad_x
        if grad_y is not None:
            grad_radius = grad_radius + torch.sin(angle) * grad_y
            grad_angle = grad_angle + radius * torch.cos(angle) * grad_y
        return grad_radius, grad_angle


torch.manual_seed(62)
radius = (torch.rand(6, dtype=torch.float64) + 1).requires_grad_(True)
angle = (torch.rand(6, dtype=torch.float64) * 3).requires_grad_(True)
x, y = PolarToCartesian.apply(radius, angle)
loss = (2.5 - x).pow(2).sum()
loss.backward()
print(tuple(angle.grad.shape))
