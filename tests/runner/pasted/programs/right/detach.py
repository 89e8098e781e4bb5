import torch
from torchviz import make_dot

x = torch.ones(5, requires_grad=True)
y = x ** 2
z = x.detach() ** 3        # no gradient flows through here

print(y.requires_grad, z.requires_grad)

r = (y + 3 * z).sum()
r.backward()
print(x.grad)              # only the path through y

make_dot((x ** 2 + 3 * x.detach() ** 3).sum(), params={"x": x}).render("detach", format="png")
