def replaced(x, mask, value):
    result = x.clone()
    result[mask] = value.item()
    return result
