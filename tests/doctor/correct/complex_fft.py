# The Fourier transform's adjoint is the inverse without its factor.
import torch


class FFT(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        ctx.n = z.shape[-1]
        return torch.fft.fft(z)

    @staticmethod
    def backward(ctx, grad):
        return ctx.n * torch.fft.ifft(grad)


torch.manual_seed(23)
z = torch.randn(2, 8, dtype=torch.complex128, requires_grad=True)
FFT.apply(z).abs().pow(3).sum().backward()
print(z.grad.shape)
