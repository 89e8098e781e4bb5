# KL of two diagonal Gaussians; four inputs.
import torch


class GaussianKL(torch.autograd.Function):
    @staticmethod
    def forward(ctx, m, s, n, t):
        ctx.save_for_backward(m, s, n, t)
        return (torch.log(t / s) + (s**2 + (m - n) ** 2) / (2 * t**2) - 0.5).sum()

    @staticmethod
    def backward(ctx, grad):
        m, s, n, t = ctx.saved_tensors
        to_mean = grad * (m - n) / t**2
        to_s = grad * (s / t**2 - 1 / s)
        to_t = grad * (1 / t - (s**2 + (m - n) ** 2) / t**3)
        return to_mean, to_s, -to_mean, to_t


torch.manual_seed(63)
m, s, n, t = (torch.rand(3).add(0.5).requires_grad_() for _ in range(4))
GaussianKL.apply(m, s, n, t).backward()
print(t.grad.shape)
