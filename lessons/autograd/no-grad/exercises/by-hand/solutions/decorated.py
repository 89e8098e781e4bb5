import torch


@torch.no_grad()
def step(w, rate):
    w.add_(w.grad, alpha=-rate)
    w.grad = None


def descend(start, x, y, rate, steps):
    w = start.clone().requires_grad_()
    for _ in range(steps):
        ((x @ w - y) ** 2).mean().backward()
        step(w, rate)
    return w
