from torch.autograd import gradcheck, gradgradcheck

x = torch.tensor([1, 2, 3], dtype=torch.double, requires_grad=True)
print("gradcheck:", gradcheck(CubeNumpy.apply, x))
try:
    gradgradcheck(CubeNumpy.apply, x)
except RuntimeError as error:
    print("gradgradcheck:", error)
