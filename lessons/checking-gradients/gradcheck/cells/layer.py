from torch.autograd import gradcheck

layer = Saturating().double()
x = torch.tensor([-1, 0.5, 2], dtype=torch.double, requires_grad=True)
print("input:", gradcheck(layer, x))
