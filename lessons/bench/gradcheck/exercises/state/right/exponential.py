import torch

rate = 0.7 + 0.6 * torch.rand(()).item()


def f(x, g=None):
    return (rate * x).exp() if g is None else rate * g * (rate * x).exp()
