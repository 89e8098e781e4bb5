def value_loss(w, state, reward, following):
    w = w.detach()
    value = state @ w
    target = reward + 0.9 * (following @ w)
    return ((value - target) ** 2).mean()
