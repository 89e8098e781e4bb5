import torch


def d_loss(logits, labels):  # loss: mean cross-entropy
    g = logits.softmax(1)
    g[torch.arange(len(labels)), labels] -= 1
    return g / len(labels)


def d_linear(g, a, w):  # y = a @ w + b
    return g @ w.T, a.T @ g, g.sum(0)


def d_tanh(g, h):  # h = y.tanh()
    return g * (1 - h.tanh() ** 2)
