import torch


def vjp_sum(g, x):  # y = x.sum(dim=0)
    return torch.zeros_like(x)


def vjp_mean(g, x):  # y = x.mean(dim=1)
    return torch.zeros_like(x)


def vjp_add(g, x, b):  # y = x + b
    return torch.zeros_like(x), torch.zeros_like(b)
