def f(x, g=None):
    return x**3 if g is None else 3 * x**2 * g.clamp(-500, 500)
