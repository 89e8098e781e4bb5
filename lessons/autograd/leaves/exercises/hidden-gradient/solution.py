import torch


def score_of(h, v):
    return (h**2 @ v).sum()


def hidden_gradient(x, w, v):
    h = torch.tanh(x @ w)
    h.retain_grad()
    score = score_of(h, v)
    score.backward()
    return h.grad
