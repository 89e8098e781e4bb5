import torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
slots = torch.zeros(3)  # a leaf without grad
slots[0] = w[0] ** 2
slots[1] = 5 * w[1]
slots.sum().backward()
print("w.grad:", w.grad.tolist(), " slots is a leaf:", slots.is_leaf)
w[2] = 10
