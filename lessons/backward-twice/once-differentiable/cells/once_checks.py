from torch.autograd import gradcheck, gradgradcheck

x = torch.tensor([1, 2, 3], dtype=torch.double, requires_grad=True)
print("gradcheck:    ", gradcheck(CubeOnce.apply, x))
print("gradgradcheck:", gradgradcheck(CubeOnce.apply, x))
