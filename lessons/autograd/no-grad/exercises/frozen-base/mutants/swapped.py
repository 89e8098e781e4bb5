import torch


def predict(x, base, head):
    with torch.no_grad():
        features = torch.tanh(x @ base)
        out = features @ head
    reversed_out = features.flip(-1) @ head
    return out + reversed_out - reversed_out.detach()
