import torch
import torch.nn.functional as F

X = [[1.0, 2.0]]
SQUARE = [[1.0, 2.0], [3.0, 5.0]]
TALL = [[1.0, 2.0], [3.0, 5.0], [-1.0, 4.0]]


def found(f, entries):
    x = torch.tensor(X, requires_grad=True)
    w = torch.tensor(entries, requires_grad=True)
    y = f(x, w)
    weight = torch.tensor([[2.0, -3.0, 0.5]])[:, : len(entries)]
    return [y, *torch.autograd.grad((weight * y).sum(), (x, w))]


def check(linear):
    for entries in (SQUARE, TALL):
        pairs = zip(found(linear, entries), found(F.linear, entries))
        if not all(torch.allclose(a, b) for a, b in pairs):
            return False
    return True
