import torch


def vjp_eigenvalues(g, a):  # y = torch.linalg.eigvalsh(a)
    return torch.zeros_like(a)


def vjp_cholesky(g, a):  # y = torch.linalg.cholesky(a)
    return torch.zeros_like(a)
