import torch


def best_weights(start, x, y, rate, steps):
    w = start.clone().requires_grad_()
    seen = []
    for _ in range(steps):
        loss = ((x @ w - y) ** 2).mean()
        seen.append((loss.item(), torch.tensor(w.tolist(), dtype=w.dtype)))
        loss.backward()
        with torch.no_grad():
            w -= rate * w.grad
        w.grad = None
    return min(seen, key=lambda pair: pair[0])[1]
