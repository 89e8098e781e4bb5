import torchviz

out = CubeOnce.apply(x)
(grad_x,) = torch.autograd.grad(out, x, create_graph=True)
print(grad_x.requires_grad)

torchviz.make_dot(
    (grad_x, x, out),
    params={"grad_x": grad_x, "x": x, "out": out},
)
