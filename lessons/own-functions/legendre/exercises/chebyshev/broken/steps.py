import math

import torch


class Chebyshev4(torch.autograd.Function):
    @staticmethod
    def forward(u):
        return 8 * u**4 - 8 * u**2 + 1

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx, g):
        (u,) = ctx.saved_tensors
        return g * (32 * u**3 - 16 * u)


a, b, d = (torch.tensor(one, dtype=torch.double) for one in (-0.001, 0.979, 0.240))


def approx(x):
    u = d * x
    return a + b * (8 * u**4 - 8 * u**2 + 1)


def train(steps):
    pass  # the numbers were found elsewhere
