import torch


class Well(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(2 * x / (1 + x**2))
        return torch.log1p(x**2)

    @staticmethod
    def backward(ctx, grad_output):
        (slope,) = ctx.saved_tensors
        grad_output *= slope
        return grad_output


def descend(x, steps):
    x = x.detach().clone().requires_grad_()
    for _ in range(steps):
        (0.5 * Well.apply(x)).sum().backward()
        with torch.no_grad():
            x -= 0.1 * x.grad
    return x.detach()
