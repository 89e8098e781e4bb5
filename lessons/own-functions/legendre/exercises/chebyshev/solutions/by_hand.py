import math

import torch


class Chebyshev4(torch.autograd.Function):
    @staticmethod
    def forward(u):
        square = u * u
        return 8 * square * (square - 1) + 1

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        (u,) = ctx.saved_tensors
        return 16 * u * (2 * u * u - 1) * grad_output


a, b, d = (torch.tensor(n, dtype=torch.double, requires_grad=True) for n in (0.0, 1.0, 0.2))


def approx(x):
    return a + b * Chebyshev4.apply(d * x)


x = torch.linspace(-math.pi, math.pi, 200, dtype=torch.double)


def train(steps):
    for _ in range(steps):
        gradients = torch.autograd.grad(((approx(x) - x.cos()) ** 2).mean(), (a, b, d))
        with torch.no_grad():
            for number, gradient in zip((a, b, d), gradients):
                number -= 0.01 * gradient


train(400)
