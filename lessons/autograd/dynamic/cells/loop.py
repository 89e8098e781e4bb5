import torch
import torchviz

x = torch.tensor(5.0, requires_grad=True)
out = x
while out < 100:
    out = out * x

torchviz.make_dot(out, params={"x": x, "out": out})
out.backward()
print(f"out = {out:g}, x.grad = {x.grad:g}")
