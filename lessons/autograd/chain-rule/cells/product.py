import torch
import torchviz

x = torch.tensor(3.0, requires_grad=True)
a = x + 2
out = x * a

out.backward()
print("x.grad =", x.grad.item())
torchviz.make_dot(out, params={"x": x, "a": a, "out": out})
