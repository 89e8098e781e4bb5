import torch

w = torch.tensor(3.0, requires_grad=True)
x = torch.tensor(2.0)
y = w * x * x
y.backward()
print("w:", w.grad)
print("x:", x.grad)
