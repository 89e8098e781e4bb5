import torch

eps = 1e-6
x = torch.tensor(0, dtype=torch.double, requires_grad=True)
leaky = torch.nn.LeakyReLU(0.1)

leaky(x).backward()
with torch.no_grad():
    central = (leaky(x + eps) - leaky(x - eps)) / (2 * eps)
print(f"backward:  {x.grad.item():.2f}")
print(f"numerical: {central.item():.2f}")
