from torch.autograd import gradcheck, gradgradcheck

x = torch.tensor([1, 2, 3], dtype=torch.double, requires_grad=True)
out = CubeCut.apply(x).sum()
(grad_x,) = torch.autograd.grad(out, x, create_graph=True)
(second,) = torch.autograd.grad((x * grad_x).sum(), x)
print("x * grad_x:   ", second.tolist())
print("true:         ", (9 * x**2).tolist())
print("gradcheck:    ", gradcheck(CubeCut.apply, x))
print("gradgradcheck:", gradgradcheck(CubeCut.apply, x))
