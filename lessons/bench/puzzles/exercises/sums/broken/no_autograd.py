import torch


def vjp_sum(g, x):  # y = x.sum(dim=0)
    return g.expand_as(x)


def vjp_mean(g, x):  # y = x.mean(dim=1)
    return g[:, None].expand_as(x) / x.shape[1]


def vjp_add(g, x, b):  # y = x + b
    return g, g.sum(dim=0)


def by_autograd(function, g, x):
    return torch.autograd.grad(function(x.requires_grad_()), x, g)[0]
