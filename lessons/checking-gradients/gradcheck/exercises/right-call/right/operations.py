def saturate(x, scale):
    return x / (scale + x.abs())
