import torch


def vjp_sum(g, x):
    return g.repeat(x.shape[0], 1)


def vjp_mean(g, x):
    return (g / x.size(1)).unsqueeze(1).repeat(1, x.size(1))


def vjp_add(g, x, b):
    return [g, torch.einsum("ij->j", g)]
