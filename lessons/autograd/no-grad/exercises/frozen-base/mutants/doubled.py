import torch


def predict(x, base, head):
    with torch.no_grad():
        features = torch.tanh(x @ base)
    out = features @ head
    return 2 * out - out.detach()
