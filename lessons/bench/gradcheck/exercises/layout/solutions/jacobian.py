import torch


def check(f):
    x = torch.tensor([[0.6, 1.1, 1.9], [1.6, 0.8, 1.3]], dtype=torch.double)
    other = torch.tensor([[1.9, 0.7, 0.6], [0.9, 1.8, 0.7]], dtype=torch.double)
    eps = 1e-4
    columns = []
    for k in range(6):
        step = eps * torch.eye(6, dtype=torch.double)[k].reshape(2, 3)
        columns.append((f(x + step) - f(x - step)).flatten() / (2 * eps))
    jacobian = torch.stack(columns, dim=1)
    shape = f(x).shape
    for size in (1e-6, 3.0, 5e3):
        g = size * torch.linspace(-1, 1.3, shape.numel(), dtype=torch.double)
        right = (g @ jacobian).reshape(2, 3)
        g = g.reshape(shape)
        assert_right(f, x, g, right, other)
        assert_right(f, x.T.contiguous().T, g, right, other)
        if g.dim() == 2:
            assert_right(f, x, g.T.contiguous().T, right, other)


def assert_right(f, x, g, right, other):
    kept = x.clone(), g.clone()
    f(other)
    first = f(x, g)
    f(other)
    second = f(x, g)
    for found in (first, second):
        error = (found - right).norm() / right.norm()
        assert error < 1e-5
    assert torch.equal(x, kept[0]) and torch.equal(g, kept[1])
