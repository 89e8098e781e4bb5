from torch.linalg import cholesky, eigh, inv


def vjp_eigenvalues(g, a):
    v = eigh(a).eigenvectors
    return (v * g) @ v.T


def vjp_cholesky(g, a):
    l = cholesky(a)
    phi = (l.T @ g).tril() - (l.T @ g).diagonal().diag() / 2
    return inv(l).T @ phi @ inv(l)
