def f(x, g=None):
    if g is None:
        return x**2
    return 2 * x * g.as_strided(g.shape, (g.shape[1], 1))
