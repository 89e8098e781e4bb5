from torch.autograd import gradcheck, gradgradcheck

x = torch.tensor([-1, 0.5, 2], dtype=torch.double, requires_grad=True)
print("gradcheck:    ", gradcheck(Softplus.apply, x))
print("gradgradcheck:", gradgradcheck(Softplus.apply, x))
