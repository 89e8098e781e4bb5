import torch


def predict(x, base, head):
    fixed = torch.tensor(base.tolist(), dtype=base.dtype)
    return (torch.tanh(x @ fixed) * head).sum(-1)
