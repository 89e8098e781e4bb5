import torch

x = torch.tensor(2.0, dtype=torch.double, requires_grad=True)
(slope,) = torch.autograd.grad(x**3, x)
penalty = slope**2
loss = x**2 + penalty
loss.backward()
print("x.grad:", x.grad.item())
penalty.backward()
