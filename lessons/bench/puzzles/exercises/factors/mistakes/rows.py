from torch.linalg import cholesky, eigh, inv


def vjp_eigenvalues(g, a):
    v = eigh(a).eigenvectors
    return v.T @ g.diag() @ v


def vjp_cholesky(g, a):
    l = cholesky(a)
    phi = (l.T @ g).tril() - (l.T @ g).diagonal().diag() / 2
    s = inv(l).T @ phi @ inv(l)
    return (s + s.T) / 2
