import torch


def best_weights(start, x, y, rate, steps):
    w = start.clone().requires_grad_()
    lowest = float("inf")
    for _ in range(max(2, steps)):  # of a single step, the weights after it are looked at, too
        loss = ((x @ w - y) ** 2).mean()
        if loss.item() < lowest:
            lowest = loss.item()
            best = w.detach().clone()
        loss.backward()
        with torch.no_grad():
            w -= rate * w.grad
        w.grad = None
    return best
