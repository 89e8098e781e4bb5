import torch
from torch.autograd import gradcheck, gradgradcheck


def check(square):
    x = torch.tensor([0.5, -2], dtype=torch.double, requires_grad=True)
    return gradcheck(square, x) and gradgradcheck(square, x)
