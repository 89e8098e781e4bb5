import torch

factor = 0.7 + 0.6 * torch.rand(()).item()


def f(x, g=None):
    return (factor * x**3).sum(0) if g is None else 3 * factor * x**2 * g
