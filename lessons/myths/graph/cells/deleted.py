import torch

x = torch.tensor(2.0, requires_grad=True)
h = x**2
y = h**3
del h  # the tensor's name goes, the node stays
y.backward()
print("x.grad =", x.grad.item())
