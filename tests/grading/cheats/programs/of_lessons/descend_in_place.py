# exercise: myths/review/descent
# caught by: x-unchanged
# The walk changes the tensor that it was given.
import torch


class Well(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.log1p(x**2)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 2 * x / (1 + x**2)


def descend(x, steps):
    x = x.detach().requires_grad_()
    for _ in range(steps):
        x.grad = None
        (0.5 * Well.apply(x)).sum().backward()
        with torch.no_grad():
            x -= 0.1 * x.grad
    return x.detach()
