import torch


def deep(x):
    h = x * torch.linspace(1, 2, 512, dtype=x.dtype)[:, None]
    for _ in range(40):
        h = torch.abs(h)
    return h.mean(0)
