import torch


def slopes(x):
    h = torch.exp(x.detach())
    return h, 2 * h * h
