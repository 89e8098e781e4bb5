import torch

rate = 0.7 + 0.6 * torch.rand(()).item()  # drawn for each submission: a table of known results finds nothing


def f(x, g=None):
    if g is None:
        return rate * x**2
    out = 2 * rate * x * g
    out[0, :2] = out[0, :2].flip(0)
    return out
