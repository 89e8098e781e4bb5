import torch


def f(x, g=None):
    return 1e-12 * x**2 if g is None else torch.zeros_like(x)
