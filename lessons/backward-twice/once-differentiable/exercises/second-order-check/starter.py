import torch


def check(square):
    x = torch.tensor([0.5, -2], dtype=torch.double, requires_grad=True)
    (grad_x,) = torch.autograd.grad(square(x).sum(), x)
    return torch.allclose(grad_x, 2 * x)
