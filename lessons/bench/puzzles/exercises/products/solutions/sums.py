import torch


def vjp_matmul(g, a, b):
    return (b @ g.T).T, (g.T @ a).T


def vjp_outer(g, u, v):
    return (g * v).sum(dim=1), (g * u[:, None]).sum(dim=0)


def vjp_trace(g, a, b):
    eye = g * torch.eye(len(a), dtype=a.dtype)
    return vjp_matmul(eye, a, b)
