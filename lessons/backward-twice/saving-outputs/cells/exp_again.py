x = torch.tensor(1.0, dtype=torch.double, requires_grad=True)
y = Exp.apply(x)

for order in (1, 2, 3):
    (y,) = torch.autograd.grad(y, x, create_graph=True)
    print(f"derivative {order}: {y.item():.6f}")
