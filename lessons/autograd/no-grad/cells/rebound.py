import torch

w = torch.tensor(2.0, requires_grad=True)
(w**2).backward()
w = w - 0.1 * w.grad  # another tensor, and recorded
print("w.is_leaf:", w.is_leaf)
(w**2).backward()
print("w.grad:", w.grad)
