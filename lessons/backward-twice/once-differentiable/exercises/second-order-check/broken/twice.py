import torch
from torch.autograd import grad, gradcheck


def check(square):
    x = torch.tensor([0.5, -2], dtype=torch.double, requires_grad=True)
    gradcheck(square, x)
    (grad_x,) = grad(square(x).sum(), x, create_graph=True)
    (second,) = grad(grad_x.sum(), x)
    return bool((second != 0).all())  # there is one, whatever its value
