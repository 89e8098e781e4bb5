import torch


def vjp_norm(g, x):  # y = x.norm(dim=1)
    return torch.zeros_like(x)


def vjp_softmax(g, x):  # y = x.softmax(dim=1)
    return torch.zeros_like(x)


def vjp_log_softmax(g, x):  # y = x.log_softmax(dim=1)
    return torch.zeros_like(x)
