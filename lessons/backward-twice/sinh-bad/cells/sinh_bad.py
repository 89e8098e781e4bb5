from torch.autograd import gradcheck, gradgradcheck

x = torch.tensor([0.5, 1, 2], dtype=torch.double, requires_grad=True)
print("gradcheck:    ", gradcheck(SinhBad.apply, x))
print("gradgradcheck:", gradgradcheck(SinhBad.apply, x))
