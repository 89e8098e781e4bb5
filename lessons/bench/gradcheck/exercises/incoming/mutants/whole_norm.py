def f(x, g=None):
    if g is None:
        return x.sqrt()
    return g / max(1.0, g.norm().item() / 50) / (2 * x.sqrt())
