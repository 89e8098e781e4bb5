from torch.autograd import gradcheck, gradgradcheck

x = torch.tensor([0.5, -1, 2], dtype=torch.double, requires_grad=True)
print("gradcheck:", gradcheck(lambda x: Clip.apply(x, 1.0), x))
print("gradgradcheck:", gradgradcheck(lambda x: Clip.apply(x, 0.1), x))
gradcheck(lambda x: 3 * Clip.apply(x, 1.0), x)
