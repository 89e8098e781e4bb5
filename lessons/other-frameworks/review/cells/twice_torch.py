import torch

x = torch.tensor(3.0, requires_grad=True)
k = torch.tensor(2.0)
y = k + x
y.backward()
y.backward()
z = x * x
z.backward()
z.backward()
