import torch
from torch.autograd import gradcheck


def check(saturate):
    values = [-1, 0.5, 2]
    x = torch.tensor(values, requires_grad=True)
    scale = torch.tensor(2.0, requires_grad=True)
    return gradcheck(saturate, (x, scale))
