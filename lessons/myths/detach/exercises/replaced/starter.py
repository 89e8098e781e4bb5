def replaced(x, mask, value):
    result = x.detach()
    result[mask] = value
    return result
