import torch
from torch.autograd import gradcheck


def check(energy):
    v = torch.tensor([1, 2], dtype=torch.double, requires_grad=True)
    for c in (2e-6, 1):
        gradcheck(lambda v: energy(v, c) / c, v)
    v = v.detach().float().requires_grad_()
    return gradcheck(energy, v, atol=1e-12)
