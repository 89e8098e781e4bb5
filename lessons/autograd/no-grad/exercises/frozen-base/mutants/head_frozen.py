import torch


def predict(x, base, head):
    with torch.no_grad():
        fixed = head.clone()
    return torch.tanh(x @ base) @ fixed
