import torch


def vjp_inverse(g, a):
    t = torch.inverse(a).mT
    return -(t @ g @ t)


def vjp_det(g, a):
    return (g * torch.det(a)) * torch.inverse(a).mT


def vjp_solve(g, a, b):
    t = torch.inverse(a)
    return vjp_inverse(g @ b.T, a), t.T @ g
