import torch


class Well(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.log1p(x**2)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        x = torch.where(x.abs() > 500, x.detach(), x)
        slope = 2 * x / (1 + x**2)
        return grad_output * slope


def descend(x, steps):
    x = x.detach().clone().requires_grad_()
    for _ in range(steps):
        x.grad = None
        (0.5 * Well.apply(x)).sum().backward()
        with torch.no_grad():
            x -= 0.1 * x.grad
    return x.detach()
