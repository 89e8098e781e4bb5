y = Cube.apply(x)

for order in range(1, 4):
    (y,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    print(order, y.tolist())
