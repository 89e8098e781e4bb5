import torch


def d_loss(logits, labels):
    n, k = logits.shape
    target = (labels[:, None] == torch.arange(k)).to(logits.dtype)
    return logits.softmax(dim=-1).sub(target).div(n)


def d_linear(g, a, w):
    return torch.matmul(g, w.t()), torch.matmul(g.t(), a).t(), g.t().sum(1)


def d_tanh(g, h):
    return g - g * h * h
