import numpy as np
import torch

x = torch.tensor([8.0, -27.0], dtype=torch.double, requires_grad=True)
print("x ** (1 / 3):", (x ** (1 / 3)).round(decimals=4).tolist())
root = torch.as_tensor(np.cbrt(x))
(root + x).sum().backward()
print("x.grad:", x.grad.tolist())
