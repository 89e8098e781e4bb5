# np.convolve and its two correlations.
import numpy as np
import torch
from torch.autograd.function import once_differentiable


class Convolve(torch.autograd.Function):
    @staticmethod
    def forward(ctx, signal, taps):
        ctx.save_for_backward(signal, taps)
        out = np.convolve(signal.detach().numpy(), taps.detach().numpy(), mode="valid")
        return torch.from_numpy(out)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        signal, taps = ctx.saved_tensors
        g = grad.numpy()
        by_signal = np.convolve(g, taps.numpy()[::-1], mode="full")
        by_taps = np.correlate(signal.numpy(), g, mode="valid")[::-1].copy()
        return torch.from_numpy(by_signal), torch.from_numpy(by_taps)


torch.manual_seed(20)
signal = torch.randn(10, dtype=torch.float64, requires_grad=True)
taps = torch.randn(3, dtype=torch.float64, requires_grad=True)
Convolve.apply(signal, taps).square().sum().backward()
print(signal.grad.shape, taps.grad.shape)
