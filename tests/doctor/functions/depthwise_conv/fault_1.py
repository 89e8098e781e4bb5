# fault: wrong-direction
# line: 41
# order: 1
import torch
from torch.autograd import Function


class CausalDepthwiseConv(Function):
    """y[b, c, t] = sum over k of kernel[c, k] * x[b, c, t - k]."""

    @staticmethod
    def shift(x, steps):
        """x moved to later times by `steps`, with zeros before it."""
        if steps == 0:
            return x
        zeros = x.new_zeros(*x.shape[:-1], steps)
        return torch.cat((zeros, x[..., :-steps]), dim=-1)

    @staticmethod
    def shift_back(x, steps):
        if steps == 0:
            return x
        zeros = x.new_zeros(*x.shape[:-1], steps)
        return torch.cat((x[..., steps:], zeros), dim=-1)

    @staticmethod
    def forward(ctx, x, kernel):
        ctx.save_for_backward(x, kernel)
        y = torch.zeros_like(x)
        for k in range(kernel.shape[1]):
            y += kernel[:, k : k + 1] * CausalDepthwiseConv.shift(x, k)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        x, kernel = ctx.saved_tensors
        grad_x = torch.zeros_like(x)
        taps = []
        for k in range(kernel.shape[1]):
            tap = kernel[:, k : k + 1]
            grad_x = grad_x + tap * CausalDepthwiseConv.shift(grad_y, k)
            product = grad_y * CausalDepthwiseConv.shift(x, k)
            taps.append(product.sum(dim=(0, 2)))
        return grad_x, torch.stack(taps, dim=1)


torch.manual_seed(26)
signal = torch.randn(3, 4, 12, requires_grad=True)
kernel = torch.randn(4, 3, requires_grad=True)
smoothed = CausalDepthwiseConv.apply(signal, kernel)
loss = torch.nn.functional.silu(smoothed).square().mean()
loss.backward()
print(signal.grad.shape, kernel.grad.shape)
