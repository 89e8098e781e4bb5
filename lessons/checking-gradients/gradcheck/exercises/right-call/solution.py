import torch
from torch.autograd import gradcheck


def check(saturate):
    x = torch.tensor([-1, 0.5, 2], dtype=torch.double, requires_grad=True)
    scale = torch.tensor(2, dtype=torch.double, requires_grad=True)
    return gradcheck(saturate, (x, scale))
