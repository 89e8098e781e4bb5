def f(x, g=None):
    return x**2 if g is None else 2 * x * g.clamp(-500, 500)
