import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**2
z = 3 * y.detach()
(y + z).backward()
(x + z).backward()
print("x.grad:", x.grad.item())
(2 * y).backward()
