import torch


def train(start, state, reward, following, steps):
    w = start.clone().requires_grad_()
    target = reward + 0.9 * (following @ start)  # with the first weights for all steps
    for _ in range(steps):
        ((state @ w - target) ** 2).mean().backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
        w.grad = None
    return w.detach(), w.detach() - start
