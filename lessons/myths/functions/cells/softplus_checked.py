from torch.autograd import grad, gradcheck, gradgradcheck

x = torch.tensor(0.0, dtype=torch.double, requires_grad=True)
(first,) = grad(Softplus.apply(x), x, create_graph=True)
(second,) = grad(first, x)
print("first derivative at 0: ", first.item())
print("second derivative at 0:", second.item())

x = torch.tensor([-1, 0.5, 2], dtype=torch.double, requires_grad=True)
print("gradcheck:    ", gradcheck(Softplus.apply, x))
print("gradgradcheck:", gradgradcheck(Softplus.apply, x))
