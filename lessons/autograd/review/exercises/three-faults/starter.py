import torch


def train(start, state, reward, following, steps):
    w = start.clone().requires_grad_()
    before = w.detach()
    for _ in range(steps):
        target = reward + 0.9 * (following @ w)
        loss = ((state @ w - target) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
    return w.detach(), w.detach() - before
