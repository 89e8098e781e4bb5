import torch


def ternary(x):
    levels = x.sign() * (x.abs() > 0.5)
    return x + (levels - x).detach()
