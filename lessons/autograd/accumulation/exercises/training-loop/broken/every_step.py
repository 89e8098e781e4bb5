import torch


def train(x, y, steps):
    w = torch.zeros((), dtype=x.dtype, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    for step in range(steps):
        if step != 2:  # the third step goes by the sum of two gradients
            optimizer.zero_grad()
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        optimizer.step()
    return w.item()
