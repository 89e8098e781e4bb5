def halve(x, limit):
    size = max(abs(n) for n in x.tolist())
    factor = 1.0
    while size * factor > limit:
        factor /= 2
    return factor * x
