import torch

x = torch.tensor(2.0, requires_grad=True)
rate = 3.0
y = rate * x**2
rate = 100.0
with torch.no_grad():
    y.backward()  # only follows what was recorded
print("x.grad =", x.grad.item())
