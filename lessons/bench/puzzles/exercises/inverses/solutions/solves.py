import torch


def vjp_inverse(g, a):
    left = torch.linalg.solve(a.T, g)
    return -torch.linalg.solve(a, left.T).T


def vjp_det(g, a):
    sign, log = torch.linalg.slogdet(a)
    return torch.linalg.solve(a.T, g * sign * log.exp() * torch.eye(len(a), dtype=a.dtype))


def vjp_solve(g, a, b):
    y = torch.linalg.solve(a, b)
    z = torch.linalg.solve(a.T, g)
    return -torch.einsum("ik,jk->ij", z, y), z
