from torch.autograd import gradcheck, gradgradcheck

x = torch.tensor([1, 2, 3], dtype=torch.double, requires_grad=True)
print("gradcheck:    ", gradcheck(CubeCut.apply, x))
print("gradgradcheck:", gradgradcheck(CubeCut.apply, x))
