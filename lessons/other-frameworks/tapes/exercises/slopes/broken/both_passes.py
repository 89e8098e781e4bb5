import torch


def slopes(x):
    x = x.detach().requires_grad_()
    h = torch.exp(x)
    (first,) = torch.autograd.grad(h.sum(), x)
    return first, 2 * h.detach() * first
