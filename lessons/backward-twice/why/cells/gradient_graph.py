import torch
import torchviz

x = torch.tensor([1, 2, 3], dtype=torch.double, requires_grad=True)
out = x**3

(grad_x,) = torch.autograd.grad(out.sum(), x, create_graph=True)
print(grad_x.tolist())

torchviz.make_dot(
    (grad_x, x, out),
    params={"grad_x": grad_x, "x": x, "out": out},
)
