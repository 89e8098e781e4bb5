from torch.autograd import gradcheck

x = torch.tensor([3, 2, 1], dtype=torch.double, requires_grad=True)
print("small:  ", gradcheck(naive, x))
gradcheck(naive, 1000 * x)
