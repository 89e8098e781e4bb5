import torch
from gradroom import Subject, check, draw, mistake


def positive(n):
    """Symmetric, with eigenvalues between 1 and 2 that are apart, and eigenvectors drawn."""
    vectors = torch.linalg.qr(plain(n, n)).Q
    values = 1 + (torch.arange(n, dtype=torch.float64) + draw.tensor((n,), 0.1, 0.6, grad=False)) / n
    a = vectors * values @ vectors.T
    return (a + a.T) / 2


def of_eigenvalues(n):
    return [plain(n), positive(n)]


def of_cholesky(n):
    return [plain(n, n).tril(), positive(n)]


def of_any_gradient(n):
    return [plain(n, n), positive(n)]


def of_size(drawn, n, size):
    g, a = drawn(n)
    return [g, size * a]


def of_diagonal(drawn):
    """The numbers of the diagonal are in no order."""
    g, a = drawn(4)
    return [g, torch.linalg.eigvalsh(a)[draw.shuffled(range(4))].diag()]


def phi(l, g):
    m = (l.T @ g).tril()
    return m - m.diagonal().diag() / 2


def with_inverse(l, m):
    return torch.linalg.inv(l).T @ m @ torch.linalg.inv(l)


right_eigenvalues = by_autograd(torch.linalg.eigvalsh)
right_cholesky = by_autograd(torch.linalg.cholesky)
eigenvalues_ = Subject("vjp_eigenvalues", lambda: of_eigenvalues(draw.whole(3, 5)), like=right_eigenvalues)
cholesky_ = Subject("vjp_cholesky", lambda: of_cholesky(draw.whole(3, 5)), like=right_cholesky)
any_gradient = Subject("vjp_cholesky", lambda: of_any_gradient(draw.whole(3, 5)), like=right_cholesky)
scaled = [
    Subject(name, lambda drawn=drawn, n=n, size=size: of_size(drawn, n, size), like=like)
    for name, drawn, like in (
        ("vjp_eigenvalues", of_eigenvalues, right_eigenvalues),
        ("vjp_cholesky", of_cholesky, right_cholesky),
    )
    for n, size in ((1, 1.0), (3, 1e-8), (3, 1e8))
]

diagonal = [
    Subject("vjp_eigenvalues", lambda: of_diagonal(of_eigenvalues), like=right_eigenvalues),
    Subject("vjp_cholesky", lambda: of_diagonal(of_cholesky), like=right_cholesky),
]


@check
def eigenvalues():
    check_values(eigenvalues_)


@check
def cholesky():
    check_values(cholesky_)


@check
def upper():
    any_gradient.values()


@check
def single():
    check_single(eigenvalues_, cholesky_)


@check
def unchanged():
    check_untouched(eigenvalues_, cholesky_, any_gradient)


@check
def edges():
    for subject in diagonal:
        subject.values()
    for subject in scaled:
        subject.values()
    for subject in [eigenvalues_, cholesky_]:
        subject.edges(without=["one-zero", "zeros", "ties", "large", "low", "tiny", "one-row", "many-rows"])  # a is positive definite


@check
def large():
    Subject("vjp_eigenvalues", lambda: of_eigenvalues(300), like=right_eigenvalues).values(times=1)
    Subject("vjp_cholesky", lambda: of_cholesky(300), like=right_cholesky).values(times=1)


@mistake
def not_halved():
    def gradient(g, a):
        l = torch.linalg.cholesky(a)
        s = with_inverse(l, (l.T @ g).tril())
        return (s + s.T) / 2

    return cholesky_.behaves_like(forward=gradient)


@mistake
def not_symmetric():
    def gradient(g, a):
        l = torch.linalg.cholesky(a)
        return with_inverse(l, phi(l, g))

    return cholesky_.behaves_like(forward=gradient)


@mistake
def rows():
    def gradient(g, a):
        v = torch.linalg.eigh(a).eigenvectors
        return v.T @ g.diag() @ v

    return eigenvalues_.behaves_like(forward=gradient)
