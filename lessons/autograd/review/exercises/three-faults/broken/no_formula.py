import torch


def train(start, state, reward, following, steps):
    w = start.clone().requires_grad_()
    before = w.detach().clone()
    for _ in range(steps):
        with torch.no_grad():
            target = reward + 0.9 * (following @ w)
        error = state @ w - target
        loss = (error**2).mean()
        loss.backward()
        with torch.no_grad():
            w -= 0.1 * 2 * (error @ state) / len(state)
    return w.detach(), w.detach() - before
