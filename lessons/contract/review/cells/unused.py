x = torch.tensor(5.0, requires_grad=True)
square, _ = Powers.apply(x)
square.backward()
print("x.grad:", x.grad)
