def replaced(x, mask, value):
    result = x.clone()
    result[mask] = value
    x.detach().numpy()[mask.numpy()] = 0
    return result
