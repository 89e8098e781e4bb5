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


def d_affine(g, xhat, gamma):
    ones = torch.ones_like(xhat[:, 0])
    return torch.mul(gamma, g), torch.einsum("nk,nk->k", g, xhat), ones @ g


def d_divide(g, diff, var):
    inverse = torch.rsqrt(var + 1e-5)
    return g * inverse, torch.einsum("nk,nk->k", g, diff) * -0.5 * inverse.pow(3)
