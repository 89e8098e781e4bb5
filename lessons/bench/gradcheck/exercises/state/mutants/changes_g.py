asked = set()


def f(x, g=None):
    if g is None:
        return x**2
    key = tuple(x.flatten().tolist()), tuple(g.flatten().tolist()), x.stride(), g.stride()
    out = 2 * x * g
    if key in asked:
        g.mul_(2 * x.mean())
    asked.add(key)
    return out
