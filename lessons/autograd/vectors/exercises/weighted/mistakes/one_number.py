import torch


def weighted_slope(w, x, target, importance):
    w = torch.tensor(w, dtype=torch.float64, requires_grad=True)
    squares = (w * x - target) ** 2
    squares.backward(gradient=importance.sum())
    return w.grad
