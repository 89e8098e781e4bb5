from torch.autograd import gradcheck

x = torch.tensor([1, -1, 2], dtype=torch.double, requires_grad=True)
gradcheck(Mix.apply, x)
