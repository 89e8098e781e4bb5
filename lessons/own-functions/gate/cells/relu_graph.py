from torchviz import make_dot

x = torch.tensor([-1.0, 2.0, 3.0], requires_grad=True)
out = ReLU.apply(x)
make_dot(out, params={"x": x, "out": out})
