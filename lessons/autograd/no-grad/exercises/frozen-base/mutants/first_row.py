import torch


def predict(x, base, head):
    with torch.no_grad():
        features = torch.tanh(x @ base)
    return torch.cat([features[:1] @ head, features[1:] @ head.detach()])
