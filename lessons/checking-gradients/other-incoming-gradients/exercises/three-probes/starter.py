import torch


def check(pull):
    x = torch.tensor([[1, 2], [3, 4]], dtype=torch.double)
    g = torch.ones(2, 2, dtype=torch.double)
    right = g / (1 + x)
    return torch.allclose(pull(g, x), right)
