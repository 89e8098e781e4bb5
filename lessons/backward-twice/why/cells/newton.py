import torch

x = torch.tensor(2.0, dtype=torch.double, requires_grad=True)

for step in range(1, 7):
    out = torch.exp(x) - 2 * x
    (slope,) = torch.autograd.grad(out, x, create_graph=True)
    (curvature,) = torch.autograd.grad(slope, x)
    x = (x - slope / curvature).detach().requires_grad_()
    print(step, f"{x.item():.6f}")
