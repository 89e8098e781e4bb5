# exercise: bench/gradcheck/differences
# It compares only the sum of the gradient.
import torch


def check(f):  # only the sum, g = ones
    x = torch.tensor([[0.5, 1.0], [1.5, 2.0]], dtype=torch.double)
    g = torch.ones_like(f(x))
    eps = 1e-6
    right = (f(x + eps) - f(x - eps)).sum() / (2 * eps)
    return abs(f(x, g).sum() - right) < 1e-5
