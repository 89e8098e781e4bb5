# Cartesian to polar coordinates.
import torch


class Polar(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        r = torch.hypot(x, y)
        phi = torch.atan2(y, x)
        ctx.save_for_backward(x, y)
        return r, phi

    @staticmethod
    def backward(ctx, grad_r, grad_phi):
        x, y = ctx.saved_tensors
        square = x * x + y * y
        r = torch.sqrt(square)
        grad_x = grad_r * x / r - grad_phi * y / square
        grad_y = grad_r * y / r + grad_phi * x / square
        return grad_x, grad_y


torch.manual_seed(5)
x = torch.randn(6, requires_grad=True)
y = torch.randn(6, requires_grad=True)
r, phi = Polar.apply(x, y)
(r * torch.cos(3 * phi)).sum().backward()
print(x.grad.shape, y.grad.shape)
