import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**2
z = y.detach()
(y + 3 * z).backward()
print("y =", y.item(), " z =", z.item())
print("x.grad =", x.grad.item())
