import torch

x = torch.ones(5, requires_grad=True)
y = x ** 2
z = y.detach() ** 3
z.sum().backward()
print(x.grad)
