import torch


def vjp_cumsum(g, x):
    return torch.flip(torch.cumsum(torch.flip(g, [0]), 0), [0])


def vjp_sort(g, x):
    out = torch.empty_like(x)
    rows = torch.arange(x.shape[0])[:, None]
    out[rows, torch.sort(x, dim=1).indices] = g
    return out


def vjp_max(g, x):
    return torch.nn.functional.one_hot(x.argmax(1), x.shape[1]).to(x.dtype) * g[:, None]


def vjp_take(g, x, i):
    places = torch.stack([i, torch.arange(len(i))])
    ones = torch.ones(len(i), dtype=g.dtype)
    one_hot = torch.sparse_coo_tensor(places, ones, (len(x), len(i)))
    return one_hot @ g
