import torch


def f(x):
    return torch.sin(3 * x)


def g(x):
    return torch.tanh(x)


def plain(x1, x2, depth):
    for _ in range(depth):
        x1 = x1 + f(x2)
        x2 = x2 + g(x1)
    return x1, x2


def vjp(function, x, grad):
    x = x.detach().requires_grad_()
    with torch.enable_grad():
        out = function(x)
    return out.detach(), torch.autograd.grad(out, x, grad)[0]
