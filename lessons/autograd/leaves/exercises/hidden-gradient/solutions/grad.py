import torch


def hidden_gradient(x, w, v):
    h = torch.tanh(x @ w)
    score = (h * h @ v).sum()
    (gradient,) = torch.autograd.grad(score, h)
    return gradient
