from torch.linalg import cholesky, eigh, inv


def vjp_eigenvalues(g, a):
    v = eigh(a).eigenvectors
    return (v * g) @ v.T


def vjp_cholesky(g, a):
    l = cholesky(a)
    s = inv(l).T @ (l.T @ g).tril() @ inv(l)
    return (s + s.T) / 2
