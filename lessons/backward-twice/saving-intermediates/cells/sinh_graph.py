import torchviz

x = torch.tensor([0.5, 1, 2], dtype=torch.double, requires_grad=True)
out = sinh(x)
(grad_x,) = torch.autograd.grad(out.sum(), x, create_graph=True)

torchviz.make_dot(
    (grad_x, x, out),
    params={"grad_x": grad_x, "x": x, "out": out},
)
