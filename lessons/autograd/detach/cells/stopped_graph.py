import torch
import torchviz

x = torch.tensor(2.0, requires_grad=True)
y = x**2
z = y.detach()
out = y + 3 * z
torchviz.make_dot((out, z), params={"x": x, "z": z, "out": out})
