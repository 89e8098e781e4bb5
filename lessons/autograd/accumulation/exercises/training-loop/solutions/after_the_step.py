import torch


def train(x, y, steps):
    w = torch.zeros((), dtype=x.dtype, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    for _ in range(steps):
        ((w * x - y) ** 2).mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)
    return w.item()
