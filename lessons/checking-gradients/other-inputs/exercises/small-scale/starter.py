import torch
from torch.autograd import gradcheck


def check(energy):
    v = torch.tensor([1, 2], dtype=torch.double, requires_grad=True)
    return gradcheck(energy, v)
