import torch

shift = 6 * torch.rand(()).item()  # drawn for each submission, as in the others: a table of known results finds nothing


def f(x, g=None):
    n = x.shape[1]
    a = (torch.arange(3 * n, dtype=x.dtype).reshape(n, 3) + shift).sin()
    return x @ a if g is None else g @ a.T
