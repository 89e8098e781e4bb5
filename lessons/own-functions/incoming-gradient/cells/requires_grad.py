losses = {"3 * f": lambda f: 3 * f, "f ** 2": lambda f: f**2}

for create_graph in (False, True):
    for name, loss in losses.items():
        x = torch.tensor(2.0, requires_grad=True)
        out = loss(Square.apply(x))
        print(f"{name:6}  create_graph: {create_graph!s:5}", end="  ")
        torch.autograd.grad(out, x, create_graph=create_graph)
