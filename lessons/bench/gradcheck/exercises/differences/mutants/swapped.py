def f(x, g=None):
    if g is None:
        return x**2
    out = 2 * x * g
    out[0, :2] = out[0, :2].flip(0)
    return out
