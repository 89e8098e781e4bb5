# exercise: bench/gradcheck/state
# It never asks for the same gradient twice.
import torch


def numerical(f, x, g):
    right = torch.zeros_like(x)
    eps = 1e-5
    for i in range(3):
        for j in range(2):
            step = torch.zeros_like(x)
            step[i, j] = eps
            up = f(x + step).clone()
            right[i, j] = (g * (up - f(x - step))).sum() / (2 * eps)
    return right


def by_columns(t):
    if t.dim() < 2:
        return torch.stack([t, t], -1)[..., 0]
    return t.mT.contiguous().mT


def check(f):
    torch.manual_seed(0)
    x0 = torch.rand(3, 2, dtype=torch.double) * 1.4 + 0.55
    other = torch.rand(3, 2, dtype=torch.double) * 1.4 + 0.55
    shape = f(x0.clone()).shape
    for scale in [1, 1000, 1e-6]:
        for repeat in range(3):
            g0 = (torch.rand(shape, dtype=torch.double) * 2 - 1) * scale
            right = numerical(f, x0, g0.clone())
            for u, v in [(0, 0), (1, 0), (0, 1)]:
                x = by_columns(x0) if u else x0.clone()
                g = by_columns(g0) if v else g0.clone()
                f(x)
                f(other.clone())
                first = f(x, g).clone()
                second = first
                if not (torch.equal(x, x0) and torch.equal(g, g0)):
                    return False
                for got in [first, second]:
                    if got.shape != x.shape:
                        return False
                    if not (got - right).abs().max() <= 1e-5 * right.abs().max():
                        return False
    return True
