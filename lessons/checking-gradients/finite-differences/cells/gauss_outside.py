eps = 1e-3
x = torch.tensor(0.5, dtype=torch.double, requires_grad=True)
Gauss.apply(x).backward()

with torch.no_grad():
    up, down = Gauss.apply(x + eps), Gauss.apply(x - eps)
central = (up - down) / (2 * eps)  # needs forward alone
print(f"backward:           {x.grad.item():.4f}")
print(f"central difference: {central.item():.4f}")
