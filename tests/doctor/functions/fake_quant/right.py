# intended: surrogate
# Quantisation with a learned step (LSQ): rounding passes the gradient through.
import torch


class FakeQuantise(torch.autograd.Function):
    """Round x to a grid of step `scale`; straight-through gradient for x."""

    @staticmethod
    def forward(ctx, x, scale, bits, signed=True):
        if signed:
            low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
        else:
            low, high = 0, 2**bits - 1
        ratio = x / scale
        level = ratio.round().clamp(low, high)
        ctx.low, ctx.high = low, high
        ctx.save_for_backward(x, scale)
        return level * scale

    @staticmethod
    def backward(ctx, grad_output):
        x, scale = ctx.saved_tensors
        ratio = x / scale
        inside = (ratio >= ctx.low) & (ratio <= ctx.high)

        # Straight through where nothing was clipped.
        grad_x = grad_output * inside

        # The step: how far rounding moved the value, or the bound itself.
        level = ratio.round().clamp(ctx.low, ctx.high)
        per_value = torch.where(inside, level - ratio, level)
        damping = (x.numel() * max(ctx.high, 1)) ** -0.5
        grad_scale = (grad_output * per_value).sum() * damping
        return grad_x, grad_scale.reshape(scale.shape), None, None


torch.manual_seed(8)
weight = (torch.randn(6, 5) * 0.4).requires_grad_()
step = torch.tensor(0.1, requires_grad=True)
shift = torch.zeros(6, 5, requires_grad=True)
batch = torch.randn(9, 5)
quantised = FakeQuantise.apply(weight, step, 3) + shift
loss = (batch @ quantised.t()).tanh().square().mean()
loss.backward()
print(weight.grad.shape, step.grad.shape)
