import torch


def vjp_cumsum(g, x):  # y = x.cumsum(dim=0)
    return g.flip(0).cumsum(dim=0).flip(0)


def vjp_sort(g, x):  # y = x.sort(dim=1).values
    return torch.zeros_like(x).scatter_(1, x.argsort(dim=1), g).double()


def vjp_max(g, x):  # y = x.amax(dim=1)
    places = x.argmax(dim=1, keepdim=True)
    return torch.zeros_like(x).scatter_(1, places, g[:, None])


def vjp_take(g, x, i):  # y = x[i]
    return torch.zeros_like(x).index_add_(0, i, g)
