import torch

x = torch.tensor([2., 3.], requires_grad=True)
y = x ** 2
z = y.mean()
z.backward()
print(x.grad)
print(y.grad)
