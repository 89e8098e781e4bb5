import torch


def d_loss(logits, labels):  # the mean cross-entropy
    return torch.zeros_like(logits)


def d_linear(g, a, w):  # y = a @ w + b
    return torch.zeros_like(a), torch.zeros_like(w), torch.zeros_like(w[0])


def d_tanh(g, h):  # h = y.tanh()
    return torch.zeros_like(h)
