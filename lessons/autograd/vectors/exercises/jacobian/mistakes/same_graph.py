import torch


def f(x):
    return torch.cat([x[1:] * x[:-1], x**2])


def jacobian(at):
    x = torch.tensor(at, requires_grad=True)
    y = f(x)
    rows = []
    for weights in torch.eye(len(y)):
        y.backward(gradient=weights)
        rows.append(x.grad.clone())
    return torch.stack(rows)
