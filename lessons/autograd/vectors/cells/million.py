import torch

x = torch.ones(1_000_000, requires_grad=True)
y = x**2
y.backward(gradient=torch.ones_like(y))
print(f"the Jacobian has {y.numel() * x.numel():.0e} entries")
print(f"x.grad has {x.grad.numel():.0e}")
