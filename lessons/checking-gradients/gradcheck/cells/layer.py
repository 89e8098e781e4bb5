from torch.autograd import gradcheck

layer = Saturating().double()
values = [-1, 0.5, 2]
x = torch.tensor(values, dtype=torch.double, requires_grad=True)
print("input:", gradcheck(layer, x))
