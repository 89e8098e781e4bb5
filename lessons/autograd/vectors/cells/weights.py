import torch

x = torch.tensor([3.0, 4.0], requires_grad=True)
y = 2 * x
y.backward(gradient=torch.tensor([1.0, 0.1]))
print("x.grad =", x.grad)
