import torch


def f(x):
    return torch.cat([x[1:] * x[:-1], x**2])


def row(at, i):
    x = torch.tensor(at, requires_grad=True)
    f(x)[i].backward()
    return x.grad


def jacobian(at):
    size = f(torch.tensor(at)).numel()
    return torch.stack([row(at, i) for i in range(size)])
