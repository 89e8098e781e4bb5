import torch


def f(x):
    return torch.cat([x[1:] * x[:-1], x**2])


def jacobian(at):
    x = torch.tensor(at, requires_grad=True)
    y = f(x)
    return torch.zeros(len(y), len(x))
