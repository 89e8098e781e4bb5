import torch


def ternary(x):
    levels = x.sign() * (x.abs() >= 0.5)
    passed = x.clamp(-1, 1)
    return passed + (levels - passed).detach()
