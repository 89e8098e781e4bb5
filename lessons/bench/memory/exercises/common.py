import torch


def spread(x):
    return x * torch.linspace(0.5, 1.5, 256, dtype=x.dtype)[:, None]


class Sloped(torch.autograd.Function):
    """The value, whose derivative was carried along: no graph is held."""

    @staticmethod
    def forward(ctx, x, value, slope):
        ctx.save_for_backward(slope)
        return value.clone()

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0], None, None
