# Long convolution by the Fourier transform, circular, real signals.
import torch
from torch.autograd import Function


class FFTConvolution(Function):
    """Circular convolution of signal (batch, n) with one filter (n,)."""

    @staticmethod
    def convolve(a_hat, b_hat, n):
        return torch.fft.irfft(a_hat * b_hat, n=n)

    @staticmethod
    def forward(ctx, signal, taps):
        n = signal.shape[-1]
        if taps.shape != (n,):
            raise ValueError(f"the filter needs {n} taps")
        signal_hat = torch.fft.rfft(signal)
        taps_hat = torch.fft.rfft(taps)
        ctx.save_for_backward(signal, taps)
        return FFTConvolution.convolve(signal_hat, taps_hat, n)

    @staticmethod
    def backward(ctx, grad_output):
        signal, taps = ctx.saved_tensors
        n = signal.shape[-1]
        grad_hat = torch.fft.rfft(grad_output)
        grad_signal = grad_taps = None
        # A convolution's adjoint is a correlation: conjugate the other spectrum.
        if ctx.needs_input_grad[0]:
            taps_hat = torch.fft.rfft(taps).conj()
            grad_signal = FFTConvolution.convolve(grad_hat, taps_hat, n)
        if ctx.needs_input_grad[1]:
            signal_hat = torch.fft.rfft(signal).conj()
            per_signal = FFTConvolution.convolve(grad_hat, signal_hat, n)
            grad_taps = per_signal.sum(0)
        return grad_signal, grad_taps


torch.manual_seed(28)
n = 16
signals = torch.randn(4, n, dtype=torch.float64, requires_grad=True)
decay = torch.tensor(0.4, dtype=torch.float64, requires_grad=True)
taps = torch.exp(-decay * torch.arange(n, dtype=torch.float64))
filtered = FFTConvolution.apply(signals, taps)
wanted = torch.sin(torch.linspace(0, 6, n, dtype=torch.float64))
loss = (filtered - wanted).square().mean()
loss.backward()
print(signals.grad.shape, decay.grad.shape)
