def replaced(x, mask, value):
    result = x.clone()
    result[mask] = value
    return result
