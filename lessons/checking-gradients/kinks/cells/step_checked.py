from torch.autograd import gradcheck, gradgradcheck

x = torch.tensor([-1, 0.5, 2], dtype=torch.double, requires_grad=True)
print("dtype:", Step.apply(x).dtype)
print("gradgradcheck:", gradgradcheck(Step.apply, x))
gradcheck(Step.apply, x)
