import torch

x = torch.tensor([3.0, 4.0], requires_grad=True)
y = torch.stack([x[0] * x[1], x[0] + x[1], x[1] ** 2])
y.backward(gradient=torch.tensor([1.0, 10.0, 100.0]))
print("x.grad =", x.grad.tolist())
