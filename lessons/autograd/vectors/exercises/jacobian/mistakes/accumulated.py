import torch


def f(x):
    return torch.cat([x[1:] * x[:-1], x**2])


def jacobian(at):
    x = torch.tensor(at, requires_grad=True)
    rows = []
    for i in range(len(f(x))):
        f(x)[i].backward()
        rows.append(x.grad)
    return torch.stack(rows)
