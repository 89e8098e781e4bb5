x = torch.linspace(-math.pi, math.pi, 2000, dtype=torch.double)
y = torch.sin(x)
start = torch.tensor([0.0, -1.0, 0.0, 0.3], dtype=x.dtype)


def model(basis, a, b, c, d):
    return a + b * basis(c + d * x)


def fit(basis):
    numbers = [n.clone().requires_grad_() for n in start]
    optimizer = torch.optim.SGD(numbers, lr=5e-6)
    curve = []
    for _ in range(2000):
        loss = (model(basis, *numbers) - y).square().sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        curve.append(loss.item())
    return numbers, curve


numbers, curve = fit(Legendre3.apply)
for name, before, after in zip("abcd", start, numbers):
    print(f"{name}: {before:4.1f} -> {after.item():z7.4f}")
print(f"loss: {curve[-1]:.2f}")
