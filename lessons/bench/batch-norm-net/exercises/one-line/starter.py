def d_norm_short(g, xhat, std):  # std = (var + 1e-5).sqrt()
    return g / std
