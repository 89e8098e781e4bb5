import torch


def vjp_norm(g, x):
    return torch.nn.functional.normalize(x, dim=1) * g.unsqueeze(1)


def vjp_log_softmax(g, x):
    return g - g.sum(1, True) * torch.softmax(x, 1)


def vjp_softmax(g, x):
    return vjp_log_softmax(g * torch.softmax(x, 1), x)
