import torch
from torch.autograd import gradcheck

x = torch.tensor([-1, 0, 1], dtype=torch.double, requires_grad=True)
gradcheck(torch.relu, x)
