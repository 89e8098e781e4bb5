# exercise: bench/puzzles/rows
# caught by: large
# A step along the imaginary axis for each column, in all rows at once.
import torch


def by_columns(f, g, x):
    """Rows do not depend on each other: a step in one column of all rows at once, along the imaginary axis."""
    z = x.to(torch.complex128)
    g64 = g.to(torch.float64)
    found = torch.empty(x.shape, dtype=torch.float64)
    for j in range(x.shape[1]):
        z[:, j] += 1e-30j
        change = f(z).imag / 1e-30
        found[:, j] = change * g64 if change.dim() == 1 else (change * g64).sum(1)
        z[:, j] -= 1e-30j
    return found.to(x.dtype)


def norm(z):
    return (z * z).sum(1).sqrt()


def softmax(z):
    e = (z - z.real.amax(1, keepdim=True)).exp()
    return e / e.sum(1, keepdim=True)


def vjp_norm(g, x):
    return by_columns(norm, g, x)


def vjp_softmax(g, x):
    return by_columns(softmax, g, x)


def vjp_log_softmax(g, x):
    return by_columns(lambda z: softmax(z).log(), g, x)
