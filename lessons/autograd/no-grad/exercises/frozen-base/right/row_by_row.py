import torch


def predict(x, base, head):
    fixed = base.detach()
    return torch.stack([sum(torch.tanh(row @ column) * weight for column, weight in zip(fixed.T, head)) for row in x])
