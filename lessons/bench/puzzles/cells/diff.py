import torch

x = torch.tensor([3.0, 1, 4, 1], requires_grad=True)
y = x.diff()  # x[1:] - x[:-1]
g = torch.tensor([1.0, 10, 100])
(grad_x,) = torch.autograd.grad(y, x, g)
print("y:     ", y.tolist())
print("grad_x:", grad_x.tolist())
