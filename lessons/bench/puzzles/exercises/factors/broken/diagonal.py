from torch.linalg import cholesky, eigh, inv


def vjp_eigenvalues(g, a):  # y = eigvalsh(a)
    v = eigh(a).eigenvectors
    return (v * g) @ v.T


def vjp_cholesky(g, a):  # y = cholesky(a)
    l = cholesky(a)
    phi = (l.T @ g).tril() - (l.T @ g).diagonal().diag() / 2
    s = inv(l).T @ phi @ inv(l)
    return (s + s.T) / 2 * (a != 0)  # as if an entry that is 0 had no gradient
