import torch


def replaced(x, mask, value):
    return torch.where(mask, value, x.detach())
