x = torch.tensor(2.0, requires_grad=True)
y = Clip.apply(x, 1.0)
losses = {"first": 3 * y, "second": -2.5 * y, "sum": 3 * y - 2.5 * y}
for name, loss in losses.items():
    (grad,) = torch.autograd.grad(loss, x, retain_graph=True)
    print(f"{name}: {grad.item()}")
