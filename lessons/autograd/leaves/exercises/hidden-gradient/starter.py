import torch


def score_of(h, v):
    return (h**2 @ v).sum()


def hidden_gradient(x, w, v):
    h = torch.tanh(x @ w)
    score = score_of(h, v)
    return h.grad
