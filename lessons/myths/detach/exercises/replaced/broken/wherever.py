def replaced(x, mask, value):
    result = x.clone()
    result.reshape(-1)[mask.reshape(-1)] = value
    return result
