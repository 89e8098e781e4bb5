def halve(x, limit):
    for _ in range(7):  # as many as are tried, and never more
        if x.abs().max() > limit:
            x = x / 2
    return x
