import torch
import torchviz

x = torch.tensor(3.0, requires_grad=True)
y = torch.tensor(2.0, requires_grad=True)
z = torch.sqrt(x) + 1 / x + 2 * y**2

returned = z.backward()  # the gradients go to x.grad and y.grad
print("returned:", returned)
print(f"x.grad = {x.grad:.4f}")
print(f"y.grad = {y.grad:.4f}")
torchviz.make_dot(z, params={"x": x, "y": y, "z": z})
