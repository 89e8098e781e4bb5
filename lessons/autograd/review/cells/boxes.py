import torch
import torchviz

x = torch.tensor([1.0, 2.0], requires_grad=True)
with torch.no_grad():
    scale = x.exp()
out = (x * scale).sum()
torchviz.make_dot(out, params={"x": x, "out": out})
