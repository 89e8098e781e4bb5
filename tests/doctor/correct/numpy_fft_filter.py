# A low-pass filter by numpy.fft: linear and symmetric, its own adjoint.
import numpy as np
import torch
from torch.autograd.function import once_differentiable


def low_pass(values, keep):
    spectrum = np.fft.rfft(values, axis=-1)
    spectrum[..., keep:] = 0
    return np.fft.irfft(spectrum, n=values.shape[-1], axis=-1)


class LowPass(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, keep):
        ctx.keep = keep
        return torch.as_tensor(low_pass(x.detach().numpy(), keep), dtype=x.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        return torch.as_tensor(low_pass(grad.numpy(), ctx.keep), dtype=grad.dtype), None


torch.manual_seed(17)
x = torch.randn(2, 15, requires_grad=True)
LowPass.apply(x, 4).square().sum().backward()
print(x.grad.dtype)
