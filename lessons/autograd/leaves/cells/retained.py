import torch

x = torch.tensor(2.0, requires_grad=True)
h = x**2
h.retain_grad()  # before the pass
(3 * h).backward()
print("h.grad:", h.grad.item())
print("x.grad:", x.grad.item())
