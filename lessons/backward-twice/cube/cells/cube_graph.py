import torchviz
from torch.autograd import gradcheck, gradgradcheck

x = torch.tensor([1, 2, 3], dtype=torch.double, requires_grad=True)
grad_output = torch.ones(3, dtype=torch.double, requires_grad=True)
print("CubeBackward:", gradcheck(CubeBackward.apply, (grad_output, x)))
print("Cube, twice: ", gradgradcheck(Cube.apply, x))

out = Cube.apply(x)
(grad_x,) = torch.autograd.grad(out.sum(), x, create_graph=True)
torchviz.make_dot(
    (grad_x, x, out),
    params={"grad_x": grad_x, "x": x, "out": out},
)
