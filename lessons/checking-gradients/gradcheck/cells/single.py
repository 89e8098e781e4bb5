from torch.autograd import gradcheck

x = torch.tensor([-1.0, 0.5, 2.0], requires_grad=True)
scale = torch.tensor(2.0)
print(gradcheck(Saturate.apply, (x, scale)))
