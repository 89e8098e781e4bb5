def f(x, g=None):
    return 1e6 * x**3 if g is None else 3e6 * x**2 * g
