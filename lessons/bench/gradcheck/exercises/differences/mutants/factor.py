import torch

rate = 0.7 + 0.6 * torch.rand(()).item()  # drawn for each submission: a table of known results finds nothing


def f(x, g=None):
    return rate * x**2 if g is None else rate * g * x
