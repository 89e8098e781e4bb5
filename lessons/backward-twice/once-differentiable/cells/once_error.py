x = torch.tensor(2.0, dtype=torch.double, requires_grad=True)
out = CubeOnce.apply(x) ** 2
(grad_x,) = torch.autograd.grad(out, x, create_graph=True)
print("first:", grad_x.item())
grad_x.backward()
