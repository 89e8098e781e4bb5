for limit in (100.0, 1.0):
    x = torch.tensor(2.0, requires_grad=True)
    cube = Clip.apply(x, limit) ** 3
    (grad,) = torch.autograd.grad(cube, x, create_graph=True)
    (second,) = torch.autograd.grad(grad, x)
    print(f"limit {limit:5}: first {grad:4.1f}, second {second:4.1f}")
