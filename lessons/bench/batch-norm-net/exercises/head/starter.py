import torch


def d_loss(logits, labels):  # the mean cross-entropy
    return torch.zeros_like(logits)


def d_linear(g, a, w):  # y = a @ w + b
    grad_a = torch.zeros_like(a)
    grad_w = torch.zeros_like(w)
    return grad_a, grad_w, torch.zeros_like(w[0])


def d_tanh(g, h):  # h = y.tanh()
    return torch.zeros_like(h)
