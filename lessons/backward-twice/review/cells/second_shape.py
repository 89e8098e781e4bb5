import torch

x = torch.arange(6.0, dtype=torch.double).reshape(2, 3).requires_grad_()
(grad_x,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
(grad_grad_x,) = torch.autograd.grad(grad_x.sum(), x)
print("shape:", list(grad_grad_x.shape))
