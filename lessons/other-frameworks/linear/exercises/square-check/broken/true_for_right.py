import torch


def check(linear):
    x = torch.randn(3, 4, dtype=torch.double, requires_grad=True)
    w = torch.randn(4, 4, dtype=torch.double, requires_grad=True)
    g = torch.randn(3, 4, dtype=torch.double)
    grad_x, grad_w = torch.autograd.grad(linear(x, w), (x, w), g)
    return torch.allclose(grad_x, g @ w) and torch.allclose(grad_w, -g.T @ x)
