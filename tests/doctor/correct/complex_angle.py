# The phase of a complex number.
import torch


class Angle(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return torch.atan2(z.imag, z.real)

    @staticmethod
    def backward(ctx, grad):
        (z,) = ctx.saved_tensors
        square = z.real**2 + z.imag**2
        return torch.complex(-grad * z.imag / square, grad * z.real / square)


torch.manual_seed(24)
z = torch.randn(5, dtype=torch.cdouble, requires_grad=True)
Angle.apply(z).cos().sum().backward()
print(z.grad.shape)
