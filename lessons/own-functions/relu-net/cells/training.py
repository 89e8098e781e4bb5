x = torch.linspace(-2, 2, 64, dtype=torch.double).reshape(-1, 1)
y = x.abs()


def losses(activation):
    torch.manual_seed(3)
    first = nn.Linear(1, 16, dtype=torch.double)
    second = nn.Linear(16, 1, dtype=torch.double)
    parameters = [*first.parameters(), *second.parameters()]
    optimizer = torch.optim.SGD(parameters, lr=0.1)
    curve = []
    for _ in range(300):
        loss = (second(activation(first(x))) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        curve.append(loss.item())
    return curve


mine, theirs = losses(Relu.apply), losses(torch.relu)
print(f"first: {mine[0]:.4f}, last: {mine[-1]:.4f}")
largest = max(abs(a - b) for a, b in zip(mine, theirs))
print("largest difference:", largest)
