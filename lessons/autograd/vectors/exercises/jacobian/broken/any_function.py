import torch


def f(x):
    return torch.cat([x[1:] * x[:-1], x**2])


def jacobian(at):
    size = len(at)
    table = torch.zeros(2 * size - 1, size)
    for i in range(size):
        table[size - 1 + i, i] = 2 * at[i]
    for i in range(size - 1):  # formulas for this one f
        table[i, i], table[i, i + 1] = at[i + 1], at[i]
    return table
