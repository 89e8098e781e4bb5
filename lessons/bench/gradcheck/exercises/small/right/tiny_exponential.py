def f(x, g=None):
    return 1e-13 * x.exp() if g is None else 1e-13 * g * x.exp()
