import torch


@torch.no_grad()
def predict(x, base, head):
    return torch.tanh(x @ base) @ head
