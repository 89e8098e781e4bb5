from torch.autograd import gradcheck, gradgradcheck

x = torch.tensor([-1, 0.5], dtype=torch.double, requires_grad=True)
print("gradcheck:    ", gradcheck(ExpKept.apply, x))
print("gradgradcheck:", gradgradcheck(ExpKept.apply, x))
