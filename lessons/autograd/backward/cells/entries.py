import torch

x = torch.tensor([2.0, 3.0, 4.0], requires_grad=True)
torch.sqrt(x**2 - 1).sum().backward()
print("x.grad =", x.grad)
