import torch

matrix = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
x = torch.ones(3, requires_grad=True)
y = matrix @ x
y.backward(gradient=torch.tensor([1.0, 10.0]))
print("x.grad:", x.grad.tolist())
print("shape:", list(x.grad.shape))
