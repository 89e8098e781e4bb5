import math

import torch


class Chebyshev4(torch.autograd.Function):
    @staticmethod
    def forward(u):
        return u

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, g):
        return g


a = torch.tensor(0.0, dtype=torch.double, requires_grad=True)
b = torch.tensor(1.0, dtype=torch.double, requires_grad=True)
d = torch.tensor(0.2, dtype=torch.double, requires_grad=True)


def approx(x):
    return a + b * Chebyshev4.apply(d * x)


x = torch.linspace(-math.pi, math.pi, 200, dtype=torch.double)


def train(steps):
    pass


train(500)
