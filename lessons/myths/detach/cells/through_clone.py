import torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
c = w.clone()
c[0] = 10  # recorded
(c**2).sum().backward()
print("w.grad:", w.grad.tolist())
