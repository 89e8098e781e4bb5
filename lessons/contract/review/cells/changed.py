a = torch.tensor(1.0, requires_grad=True)
h = a * 1
square, _ = Powers.apply(h)
h.mul_(3)
square.backward()
print("a.grad:", a.grad.item())
