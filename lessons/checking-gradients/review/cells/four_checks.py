import torch
from torch.autograd import gradcheck

x = torch.tensor([-1, 0, 2], dtype=torch.double, requires_grad=True)
gradcheck(torch.exp, x)
gradcheck(torch.abs, x)
gradcheck(torch.exp, x.float())
gradcheck(torch.relu, x)
