def replaced(x, mask, value):
    x[mask] = value
    return x
