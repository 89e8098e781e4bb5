import torch

torch.manual_seed(3)


def check(f):
    """Along random directions: g · (f(x + tv) - f(x - tv)) / 2t is v · f(x, g)."""
    for trial in range(12):
        x = torch.rand(4, 3, dtype=torch.double) + 0.75
        if trial % 2:
            x = x.as_strided((3, 4), (1, 3))
        f_shape = f(x).shape
        g = torch.randn(f_shape, dtype=torch.double) * [1, 1e-7, 1e4][trial % 3]
        if trial % 4 < 2 and g.dim() == 2:
            g = g.T.contiguous().T
        v = torch.randn(x.shape, dtype=torch.double)
        t = 1e-5
        along = (g * (f(x + t * v) - f(x - t * v))).sum() / (2 * t)
        f(x.flip(0) * 0 + 1.0)
        kept = x.clone(), g.clone()
        found = f(x, g)
        again = f(x, g)
        size = (found * v).abs().sum() + (again * v).abs().sum()
        for one in (found, again):
            if ((one * v).sum() - along).abs() > 1e-5 * max(size, along.abs()):
                return False
        if not (x.equal(kept[0]) and g.equal(kept[1])):
            return False
    return True
