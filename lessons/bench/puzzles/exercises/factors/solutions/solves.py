import torch


def vjp_eigenvalues(g, a):
    values, vectors = torch.linalg.eigh(a)
    return torch.einsum("ik,k,jk->ij", vectors, g, vectors)


def vjp_cholesky(g, a):
    l = torch.linalg.cholesky(a)
    p = torch.tril(l.T @ g)
    p.diagonal().mul_(0.5)
    both = p + p.T
    left = torch.linalg.solve_triangular(l.T, both, upper=True)
    return torch.linalg.solve_triangular(l.T, left.T, upper=True).T / 2
