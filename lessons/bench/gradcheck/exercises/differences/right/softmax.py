import torch

rate = 0.7 + 0.6 * torch.rand(()).item()


def f(x, g=None):
    p = (rate * x).softmax(1)
    return p if g is None else rate * p * (g - (p * g).sum(1, keepdim=True))
