def halve(x, limit):
    while x.max() > limit:
        x = x / 2
    return x
