import torch


def vjp_matmul(g, a, b):  # y = a @ b
    return torch.zeros_like(a), torch.zeros_like(b)


def vjp_outer(g, u, v):  # y = torch.outer(u, v)
    return torch.zeros_like(u), torch.zeros_like(v)


def vjp_trace(g, a, b):  # y = (a @ b).trace()
    return torch.zeros_like(a), torch.zeros_like(b)
