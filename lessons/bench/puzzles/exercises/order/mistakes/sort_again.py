import torch


def vjp_cumsum(g, x):
    return g.flip(0).cumsum(dim=0).flip(0)


def vjp_sort(g, x):
    return g.gather(1, x.argsort(dim=1))


def vjp_max(g, x):
    places = x.argmax(dim=1, keepdim=True)
    return torch.zeros_like(x).scatter_(1, places, g[:, None])


def vjp_take(g, x, i):
    return torch.zeros_like(x).index_add_(0, i, g)
