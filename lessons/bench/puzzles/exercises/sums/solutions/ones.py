import torch


def vjp_sum(g, x):
    return torch.ones_like(x) * g


def vjp_mean(g, x):
    return torch.outer(g, torch.full_like(x[0], 1 / x.shape[1]))


def vjp_add(g, x, b):
    return g.clone(), torch.ones_like(g[:, 0]) @ g
