from torch.autograd import gradcheck

x = torch.tensor([0.5, 1, 2], dtype=torch.double, requires_grad=True)
gradcheck(Shares.apply, x)
