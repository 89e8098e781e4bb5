import torch


def numerical(f, x, g, eps=1e-5):
    out = torch.zeros_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            step = torch.zeros_like(x)
            step[i, j] = eps
            change = f(x + step) - f(x - step)
            out[i, j] = (g * change).sum() / (2 * eps)
    return out


def drawn(shape, scale=1.0):
    return scale * (2 * torch.rand(shape, dtype=torch.double) - 1)


def close(got, right, tolerance=1e-6):
    largest = right.abs().max()
    return (got - right).abs().max() <= tolerance * (1 + largest)


def check(f):
    x = 0.5 + 1.5 * torch.rand(4, 3, dtype=torch.double)
    for scale in (1, 30, 400):  # what happens beyond is not seen
        g = drawn(f(x).shape, scale)
        if not close(f(x, g), numerical(f, x, g)):
            return False
    return True
