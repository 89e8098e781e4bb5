import torch
from torch.utils.checkpoint import checkpoint


def chain(h, layers):
    for _ in range(layers):
        h = torch.abs(h)
    return h


def in_parts(h):
    for _ in range(5):
        h = checkpoint(chain, h, 8, use_reentrant=False)
    return h


def whole(h):
    try:
        return chain(h, 40)
    except RuntimeError:
        return None


def deep(x):
    """Learns that it is too much, and goes on with less: after the `except`, in which the exception still holds what its frames hold."""
    h = x * torch.linspace(1, 2, 512, dtype=x.dtype)[:, None]
    out = whole(h)
    return (in_parts(h) if out is None else out).mean(0)
