import torch

x = torch.tensor(2.0, requires_grad=True)
z = (x**2).detach()
(3 * z).backward()
print("x.grad:", x.grad)
