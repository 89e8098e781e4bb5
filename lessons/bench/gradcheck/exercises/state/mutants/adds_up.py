total = {}


def f(x, g=None):
    if g is None:
        return x.log()
    key = tuple(x.flatten().tolist()), tuple(g.flatten().tolist()), x.stride(), g.stride()
    total[key] = total.get(key, 0) + g / x
    return total[key].clone()
