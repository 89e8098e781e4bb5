def f(x, g=None):
    if g is None:
        return x.log()
    out = g / x
    out[-1, -1] = 0
    return out
