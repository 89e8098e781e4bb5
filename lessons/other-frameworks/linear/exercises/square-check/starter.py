import torch


def check(linear):
    x = torch.randn(3, 4, dtype=torch.double, requires_grad=True)
    w = torch.randn(5, 4, dtype=torch.double, requires_grad=True)
    grads = torch.autograd.grad(linear(x, w).sum(), (x, w))
    return [g.shape for g in grads] == [x.shape, w.shape]
