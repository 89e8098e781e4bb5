import torch


def f(x):
    return torch.sin(2 * x) + x**3 / 5


def slope(at):
    x = torch.tensor(at, requires_grad=True)
    f(x).backward()
    return x.grad
