def f(x, g=None):
    return x.exp() if g is None else g.abs() * x.exp()
