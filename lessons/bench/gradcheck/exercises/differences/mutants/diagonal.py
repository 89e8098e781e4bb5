import torch

rate = 0.7 + 0.6 * torch.rand(()).item()  # drawn for each submission: a table of known results finds nothing


def f(x, g=None):
    p = (rate * x).softmax(1)
    return p if g is None else rate * g * p * (1 - p)
