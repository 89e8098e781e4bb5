asked = set()


def f(x, g=None):
    if g is None:
        return x.exp()
    key = tuple(x.flatten().tolist()), tuple(g.flatten().tolist()), x.stride(), g.stride()
    out = g * x.exp()
    if key in asked:
        x.exp_()
    asked.add(key)
    return out
