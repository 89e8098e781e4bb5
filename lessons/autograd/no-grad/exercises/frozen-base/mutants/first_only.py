import torch


def predict(x, base, head):
    with torch.no_grad():
        features = torch.tanh(x @ base)
    return features @ torch.cat([head[:1], head[1:].detach()])
