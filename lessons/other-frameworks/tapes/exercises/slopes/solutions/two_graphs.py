import torch


def gradient(f, x):
    x = x.detach().clone().requires_grad_(True)
    f(x).backward()
    return x.grad


def slopes(x):
    first = gradient(lambda x: torch.exp(x).sum(), x)
    return first, gradient(lambda x: (torch.exp(x) ** 2).sum(), x)
