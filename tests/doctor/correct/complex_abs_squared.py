# |z|^2 of complex numbers; PyTorch's gradient is the conjugate Wirtinger one.
import torch


class AbsSquared(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return z.real**2 + z.imag**2

    @staticmethod
    def backward(ctx, grad):
        (z,) = ctx.saved_tensors
        return 2 * grad * z


torch.manual_seed(21)
z = torch.randn(4, dtype=torch.complex128, requires_grad=True)
AbsSquared.apply(z).log().sum().backward()
print(z.grad.dtype)
