def replaced(x, mask, value):
    chosen = mask.to(x.dtype)
    return x * (1 - chosen) + value * chosen
