import torch
from torch.utils.checkpoint import checkpoint


def eight(h):
    for _ in range(8):
        h = torch.abs(h)
    return h


def deep(x):
    h = x * torch.linspace(1, 2, 512, dtype=x.dtype)[:, None]
    for _ in range(5):
        h = checkpoint(eight, h, use_reentrant=False)
    return h.mean(0)
