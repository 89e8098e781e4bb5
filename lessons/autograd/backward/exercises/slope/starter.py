import torch


def f(x):
    return torch.sin(2 * x) + x**3 / 5


def slope(at):
    return torch.tensor(0.0)
