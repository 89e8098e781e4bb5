import torch


def vjp_cumsum(g, x):  # y = x.cumsum(dim=0)
    return torch.zeros_like(x)


def vjp_sort(g, x):  # y = x.sort(dim=1).values
    return torch.zeros_like(x)


def vjp_max(g, x):  # y = x.amax(dim=1)
    return torch.zeros_like(x)


def vjp_take(g, x, i):  # y = x[i]
    return torch.zeros_like(x)
