import torch


def check(linear):
    x = torch.randn(3, 4, dtype=torch.double, requires_grad=True)
    w = torch.randn(4, 4, dtype=torch.double, requires_grad=True)
    return torch.autograd.gradcheck(linear, (x, w))
