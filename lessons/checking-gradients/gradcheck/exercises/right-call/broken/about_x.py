import torch
from torch.autograd import gradcheck


def check(saturate):
    values = [1, 0.5, 2]
    x = torch.tensor(values, dtype=torch.double, requires_grad=True)
    scale = torch.tensor(2, dtype=torch.double, requires_grad=True)
    return gradcheck(saturate, (x, scale))
