def halve(x, limit):
    for _ in range(50):  # more than is ever needed
        if x.abs().max() <= limit:
            break
        x = x / 2
    return x
