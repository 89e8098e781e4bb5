# pitfall: wrong-gradient-count
# line: 26
# silent: no
# seen: forward takes one input and backward returns two gradients; return only the one of `signal`.
import torch


class Spectrum(torch.autograd.Function):
    """Power of each frequency of a real signal."""

    @staticmethod
    def forward(ctx, signal):
        ctx.save_for_backward(signal)
        transformed = torch.fft.rfft(signal)
        return transformed.abs() ** 2

    @staticmethod
    def backward(ctx, grad_power):
        (signal,) = ctx.saved_tensors
        transformed = torch.fft.rfft(signal)
        inner = 2 * grad_power * transformed
        n = signal.shape[-1]
        padded = torch.zeros(signal.shape[:-1] + (n,), dtype=inner.dtype)
        padded[..., : inner.shape[-1]] = inner
        grad_signal = torch.fft.fft(padded.conj()).real
        return grad_power, grad_signal


torch.manual_seed(0)
time = torch.linspace(0, 1, 64)
wave = torch.sin(2 * torch.pi * 5 * time) + 0.1 * torch.randn(64)
wave.requires_grad_(True)
power = Spectrum.apply(wave)
high = power[10:].sum()
high.backward()
print("gradient:", tuple(wave.grad.shape))
