def f(h, i):
    return 0.1 * torch.sin(h + i)


def g(h, i):
    return 0.1 * torch.cos(h - i)


def block(h1, h2, i):
    h1 = h1 + f(h2, i)
    return h1, h2 + g(h1, i)
