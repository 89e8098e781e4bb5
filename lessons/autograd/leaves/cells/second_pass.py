import torch

x = torch.tensor(2.0, requires_grad=True)
total = x + 3
total.backward()
total.backward()
print("after x + 3, twice:", x.grad.item())
square = x**2
square.backward()
square.backward()
