import torch


def predict(x, base, head):
    fixed = torch.tensor(base.tolist(), dtype=base.dtype)
    return torch.matmul(torch.matmul(x, fixed).tanh(), head)
