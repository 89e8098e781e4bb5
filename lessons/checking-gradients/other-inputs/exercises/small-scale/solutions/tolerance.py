import torch
from torch.autograd import gradcheck


def check(energy):
    v = torch.tensor([0.5, -3], dtype=torch.double, requires_grad=True)
    small = gradcheck(energy, v, atol=1e-12)
    return small and gradcheck(energy, (v, 3.5))
