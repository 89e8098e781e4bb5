import torch


def check(reciprocal):
    x = torch.tensor([0.5, 2.0], dtype=torch.double, requires_grad=True)
    incoming = torch.tensor([5.0, 3.0], dtype=torch.double)
    (grad_x,) = torch.autograd.grad(reciprocal(x), x, incoming)
    return torch.allclose(grad_x, incoming * -1 / x**2)
