def value_loss(w, state, reward, following):
    value = state @ w
    target = reward.detach() + 0.9 * (following.detach() @ w)
    return ((value - target) ** 2).mean()
