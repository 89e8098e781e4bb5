import torch

x = torch.tensor([3.0, 4.0], requires_grad=True)
y = 2 * x
y.backward()
print("x.grad =", x.grad.tolist())
