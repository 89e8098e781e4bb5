import torch
import torchviz

x = torch.tensor([3.0, 4.0], requires_grad=True)
y = (x + 2) ** 2
out = y.sum()

print("y =", y.tolist())
print("x.grad =", x.grad)
print("y.grad_fn =", y.grad_fn)
print("out.grad_fn =", out.grad_fn)  # before any backward
torchviz.make_dot(out, params={"x": x, "out": out})
