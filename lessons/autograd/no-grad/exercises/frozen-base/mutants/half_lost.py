import torch


def predict(x, base, head):
    with torch.no_grad():
        features = torch.tanh(x @ base)
        half = features @ head / 2
    return features @ head / 2 + half
