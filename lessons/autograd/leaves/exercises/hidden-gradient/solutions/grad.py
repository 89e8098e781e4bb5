import torch


def score_of(h, v):
    return (h * h @ v).sum()


def hidden_gradient(x, w, v):
    h = torch.tanh(x @ w)
    score = score_of(h, v)
    (gradient,) = torch.autograd.grad(score, h)
    return gradient
