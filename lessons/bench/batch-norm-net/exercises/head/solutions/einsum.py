import torch
from torch.nn.functional import one_hot


def d_loss(logits, labels):
    p = torch.exp(logits - torch.logsumexp(logits, dim=1, keepdim=True))
    target = one_hot(labels, logits.shape[1]).to(logits.dtype)
    return (p - target) / logits.shape[0]


def d_linear(g, a, w):
    da = torch.einsum("nk,dk->nd", g, w)
    dw = torch.einsum("nd,nk->dk", a, g)
    return [da, dw, torch.sum(g, dim=0)]


def d_tanh(g, h):
    return (1 - h) * (1 + h) * g
