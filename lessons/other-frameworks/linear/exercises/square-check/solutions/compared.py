import torch


def check(linear):
    for rows, size, features in ((3, 4, 5), (3, 4, 4), (2, 3, 3)):
        x = torch.randn(rows, size, dtype=torch.double, requires_grad=True)
        w = torch.randn(features, size, dtype=torch.double, requires_grad=True)
        g = torch.randn(rows, features, dtype=torch.double)
        y = linear(x, w)
        assert torch.allclose(y, x @ w.T)
        grad_x, grad_w = torch.autograd.grad(y, (x, w), g)
        assert torch.allclose(grad_x, g @ w) and torch.allclose(grad_w, g.T @ x)
