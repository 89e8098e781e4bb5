import torch


def check(reciprocal):
    x = torch.tensor([0.5, 2.0], dtype=torch.double, requires_grad=True)
    (grad_x,) = torch.autograd.grad(reciprocal(x).sum(), x)
    return torch.allclose(grad_x, -1 / x**2)
