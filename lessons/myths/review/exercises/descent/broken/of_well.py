import torch


class Well(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.log1p(x**2)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        slope = 2 * x / (1 + x**2)
        return grad_output * slope


def descend(x, steps):
    for _ in range(steps):
        x = x - 0.1 * x / (1 + x**2)
    return x.clone()
