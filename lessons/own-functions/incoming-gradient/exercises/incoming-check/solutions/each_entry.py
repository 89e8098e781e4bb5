import torch
from torch.autograd import gradcheck


def check(reciprocal):
    x = torch.tensor([1.5, -0.7], dtype=torch.double, requires_grad=True)

    def scaled(x):
        return 10 * reciprocal(x)

    return gradcheck(reciprocal, x) and gradcheck(scaled, x)
