import torch


def vjp_cumsum(g, x):
    return g.sum() - g.cumsum(0) + g


def vjp_sort(g, x):
    ranks = x.argsort(dim=1).argsort(dim=1)
    return g.gather(1, ranks)


def vjp_max(g, x):
    return torch.where(x == x.amax(dim=1, keepdim=True), g.unsqueeze(1), torch.zeros_like(x))


def vjp_take(g, x, i):
    return torch.zeros_like(x).index_put_((i,), g, accumulate=True)
