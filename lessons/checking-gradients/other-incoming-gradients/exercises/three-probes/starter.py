import torch


def check(pull):
    x = torch.tensor([[1, 2], [3, 4]], dtype=torch.double)
    g = torch.ones(2, 2, dtype=torch.double)
    return torch.allclose(pull(g, x), g / (1 + x))
