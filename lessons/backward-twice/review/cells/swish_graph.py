import torchviz


def second_derivative(out, x):
    (grad_x,) = torch.autograd.grad(out, x, create_graph=True)
    (grad_grad_x,) = torch.autograd.grad(grad_x, x)
    return grad_grad_x.item()


x = torch.tensor(1.0, dtype=torch.double, requires_grad=True)
swish = second_derivative(Swish.apply(x), x)
true = second_derivative(x * torch.sigmoid(x), x)
print(f"Swish: {swish:.4f} true: {true:.4f}")

out = Swish.apply(x)
(grad_x,) = torch.autograd.grad(out, x, create_graph=True)
torchviz.make_dot(
    (grad_x, x, out),
    params={"grad_x": grad_x, "x": x, "out": out},
)
