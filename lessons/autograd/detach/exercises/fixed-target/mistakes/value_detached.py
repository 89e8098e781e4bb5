def value_loss(w, state, reward, following):
    value = (state @ w).detach()
    target = reward + 0.9 * (following @ w)
    return ((value - target) ** 2).mean()
