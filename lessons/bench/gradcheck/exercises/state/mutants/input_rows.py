def f(x, g=None):
    if g is None:
        return x**2
    return 2 * g * x.as_strided(x.shape, (x.shape[1], 1))
