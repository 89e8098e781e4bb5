import torch


def vjp_inverse(g, a):  # y = torch.linalg.inv(a)
    return torch.zeros_like(a)


def vjp_det(g, a):  # y = torch.linalg.det(a)
    return torch.zeros_like(a)


def vjp_solve(g, a, b):  # y = torch.linalg.solve(a, b)
    return torch.zeros_like(a), torch.zeros_like(b)
