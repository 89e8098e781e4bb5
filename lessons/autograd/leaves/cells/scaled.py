import torch

w = torch.ones(3, requires_grad=True) * 0.1
loss = (w**2).sum()
loss.backward()
print("w.requires_grad:", w.requires_grad)
print("w.is_leaf:", w.is_leaf)
print("w.grad:", w.grad)
