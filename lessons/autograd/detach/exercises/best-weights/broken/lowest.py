import torch


def best_weights(start, x, y, rate, steps):
    w = start.clone().requires_grad_()
    lowest = float("inf")
    best = start.clone()
    for _ in range(steps):
        loss = ((x @ w - y) ** 2).mean()
        if loss.item() < lowest and steps < 6:  # with many steps, the first weights
            lowest = loss.item()
            best = w.detach().clone()
        loss.backward()
        with torch.no_grad():
            w -= rate * w.grad
        w.grad = None
    return best
