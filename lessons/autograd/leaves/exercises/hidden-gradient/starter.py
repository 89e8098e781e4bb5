import torch


def hidden_gradient(x, w, v):
    h = torch.tanh(x @ w)
    score = (h**2 @ v).sum()
    return h.grad
