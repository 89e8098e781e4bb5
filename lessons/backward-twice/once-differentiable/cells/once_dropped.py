import torchviz

(dropped,) = torch.autograd.grad(x * grad_x, x)
print("once:", dropped.item())

(true_grad_x,) = torch.autograd.grad((x**3) ** 2, x, create_graph=True)
(right,) = torch.autograd.grad(x * true_grad_x, x)
print("true:", right.item())

torchviz.make_dot(
    (grad_x, x, out),
    params={"grad_x": grad_x, "x": x, "out": out},
)
