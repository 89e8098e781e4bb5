import torch


def train(x, y, steps):
    w = torch.zeros((), dtype=x.dtype, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    for _ in range(steps):
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
    return w.item()
