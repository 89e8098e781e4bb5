import torch

w = torch.tensor(3.0, requires_grad=True)
loss = (2 * w).detach() ** 2
try:
    loss.backward()
except RuntimeError as error:
    print("RuntimeError:", error)

loss.requires_grad_()  # makes it a leaf, and no more
loss.backward()
print("w.grad:", w.grad)
