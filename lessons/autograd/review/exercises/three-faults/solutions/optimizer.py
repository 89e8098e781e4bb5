import torch


def train(start, state, reward, following, steps):
    w = start.clone().requires_grad_()
    optimizer = torch.optim.SGD([w], lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        with torch.no_grad():
            target = reward + 0.9 * (following @ w)
        torch.nn.functional.mse_loss(state @ w, target).backward()
        optimizer.step()
    return w, w - start
