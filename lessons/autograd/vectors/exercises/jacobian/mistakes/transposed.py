import torch


def f(x):
    return torch.cat([x[1:] * x[:-1], x**2])


def jacobian(at):
    columns = []
    for weights in torch.eye(2 * len(at) - 1):
        x = torch.tensor(at, requires_grad=True)
        f(x).backward(gradient=weights)
        columns.append(x.grad)
    return torch.stack(columns, dim=1)
