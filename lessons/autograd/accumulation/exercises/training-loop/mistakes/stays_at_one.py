import torch


def train(x, y, steps):
    for _ in range(steps):
        w = torch.zeros((), dtype=x.dtype, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        optimizer.zero_grad()
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        optimizer.step()
    return w.item()
