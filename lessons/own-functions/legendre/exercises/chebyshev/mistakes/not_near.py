import math

import torch


class Chebyshev4(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u):
        ctx.save_for_backward(u)
        return 8 * u**4 - 8 * u**2 + 1

    @staticmethod
    def backward(ctx, g):
        (u,) = ctx.saved_tensors
        return g * (32 * u**3 - 16 * u)


a = torch.tensor(0.0, dtype=torch.double, requires_grad=True)
b = torch.tensor(-1.0, dtype=torch.double, requires_grad=True)
d = torch.tensor(0.2, dtype=torch.double, requires_grad=True)


def approx(x):
    return a + b * Chebyshev4.apply(d * x)


x = torch.linspace(-math.pi, math.pi, 200, dtype=torch.double)


def train(steps):
    optimizer = torch.optim.SGD([a, b, d], lr=0.01)
    for _ in range(steps):
        loss = (approx(x) - torch.cos(x)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


print(f"last loss: {train(500):.6f}")
