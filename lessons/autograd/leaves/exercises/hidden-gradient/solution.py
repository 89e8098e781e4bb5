import torch


def hidden_gradient(x, w, v):
    h = torch.tanh(x @ w)
    h.retain_grad()
    score = (h**2 @ v).sum()
    score.backward()
    return h.grad
