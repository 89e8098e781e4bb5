import torch


def train(start, state, reward, following, steps):
    w = start
    for _ in range(steps):
        w = w.detach().requires_grad_()
        target = reward + 0.9 * (following @ w.detach())
        (gradient,) = torch.autograd.grad(((state @ w - target) ** 2).mean(), w)
        w = w.detach() - 0.1 * gradient
    return w, w - start
