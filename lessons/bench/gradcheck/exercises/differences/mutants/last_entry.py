import torch

rate = 0.7 + 0.6 * torch.rand(()).item()  # drawn for each submission: a table of known results finds nothing


def f(x, g=None):
    if g is None:
        return (x + rate).log()
    out = g / (x + rate)
    out[-1, -1] = 0
    return out
