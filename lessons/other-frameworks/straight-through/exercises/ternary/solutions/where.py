import torch


def ternary(x):
    with torch.no_grad():
        levels = torch.where(x.abs() > 0.5, x.sign(), torch.zeros_like(x))
    inside = torch.where(x.abs() <= 1, x, x.detach())
    return levels + (inside - inside.detach())  # first the difference: it is 0 exactly
