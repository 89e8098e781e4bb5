def value_loss(w, state, reward, following):
    value = state @ w
    target = reward + 0.9 * (following @ w).detach()
    return ((value - target) ** 2).mean()
